import { gzipSync } from 'node:zlib'
import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import {
  type FaultParameter,
  type ServiceFaultName,
  type StruckAnswer,
  serviceFaultOf,
} from '../../core/contract/service-faults.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { below } from '../../core/protocol/random.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { CancelAlarm, Clock } from '../../core/protocol/time.ts'
import { refusalResponse } from '../../http/envelope-response.ts'
import type { RawResponse, RawWire } from '../../http/message.ts'
import { reasonPhrase } from '../../http/write-response.ts'
import { isInScope, type Subject } from '../conditions/subject.ts'
import type { ParsedInput } from '../request/parse-input.ts'
import { type RequestContext, streamIn } from '../services.ts'
import { worn } from './arm-service-fault.ts'
import { type About, factWorks, SOMEBODY, success, type Works } from './fact-works.ts'

/** The two ends of the one seam at which service faults are triggered: the input, and the answer. */
export type Lies = {
  readonly ask: (input: ParsedInput) => ParsedInput
  readonly tell: (honest: RawResponse, result: Result<unknown, Refusal>) => Promise<RawResponse>
}

/** Nothing is armed, which is nearly always so. */
export const TRUTH: Lies = { ask: (input) => input, tell: async (honest) => honest }

export const isTruthful = ({ services, workspace }: RequestContext): boolean =>
  services.settings.faults(workspace).length === 0

type Called = {
  readonly operation: RpOperation
  /** The caller, where it is known. */
  readonly rp: string | undefined
  readonly input: ParsedInput
  readonly subject: Subject
  /** True if a fault may replace the input. */
  readonly mayAsk: boolean
}

/** Selects the armed faults for this call. Its answer decides whether they are triggered. */
export const liesFor = async (
  context: RequestContext,
  { operation, rp, input, subject, mayAsk }: Called,
): Promise<Lies> => {
  const { services, workspace } = context
  const meant: ArmedServiceFault[] = []
  for (const each of services.settings.faults(workspace)) {
    const { fault, only, scope } = each
    const isOnIt = serviceFaultOf(fault).on.includes(operation) && (only.length === 0 || only.includes(operation))
    if (isOnIt && (mayAsk || worksOf(fault).ask === undefined) && (await isInScope(context, scope, subject)))
      meant.push(each)
  }
  if (meant.length === 0) return TRUTH
  const about: Omit<About, 'parameters'> = {
    operation,
    input,
    user_id: subject.user_id ?? '',
    baseUrl: services.addresses.baseUrl(workspace),
    otherUrl: rp === undefined ? undefined : await addressOfAnother(context, rp, subject),
    wall: services.wall,
  }
  // A fault that changes the input is triggered, with any outcome.
  const asked = await triggerFaults(context, meant, ({ fault }) => worksOf(fault).ask !== undefined)
  return {
    ask: (honest) => asked.reduce((changed, { fault }) => worksOf(fault).ask?.(changed) ?? changed, honest),
    tell: async (honest, result) => {
      const told = await triggerFaults(
        context,
        meant,
        ({ fault }) => worksOf(fault).ask === undefined && fits(serviceFaultOf(fault).when, result),
      )
      const triggered = [...asked, ...told]
      if (triggered.length === 0) return honest
      context.trace.lies = {
        faults: triggered.map(factOf),
        honest: { status: honest.status, body: String(honest.body) },
      }
      return distort(
        honest,
        triggered.map((each) => [worksOf(each.fault), { ...about, parameters: parametersOf(each) }]),
      )
    },
  }
}

const worksOf = (fault: ArmedServiceFault['fault']): Works => SERVICE_FAULT_WORKS[fault]

const factOf = ({ id, fault, parameters }: ArmedServiceFault) => ({
  id,
  fault,
  ...(parameters === undefined ? {} : { parameters }),
})

const CHANCES = 1_000_000

/** Drawn for each answer that it could change. */
const isDrawn = (context: RequestContext, { probability }: ArmedServiceFault): boolean =>
  probability === undefined || below(streamIn(context, 'rp', 'service fault'), CHANCES) < probability * CHANCES

/** Triggers those that are still armed: another call may have used them up in the meantime. */
const triggerFaults = async (
  context: RequestContext,
  meant: readonly ArmedServiceFault[],
  isTriggered: (fault: ArmedServiceFault) => boolean,
): Promise<readonly ArmedServiceFault[]> => {
  const { settings } = context.services
  const ids = new Set(meant.map(({ id }) => id))
  const drawn = settings
    .faults(context.workspace)
    .filter((each) => ids.has(each.id) && isTriggered(each) && isDrawn(context, each))
  if (drawn.every(({ left }) => left === undefined)) return drawn
  let triggered: readonly ArmedServiceFault[] = []
  await settings.changeFaults(context.workspace, (armed) => {
    triggered = armed.filter(({ id }) => drawn.some((each) => each.id === id))
    return triggered.length === 0 ? undefined : worn(armed, triggered)
  })
  return triggered
}

/** True for an answer that the fault waits for. */
const fits = (when: StruckAnswer, result: Result<unknown, Refusal>): boolean => {
  if (when === 'read') return !result.ok && result.error.name === 'result_already_read'
  if (!result.ok) return false
  const status = isObject(result.value) ? result.value.status : undefined
  if (when === 'any' || status === undefined) return true
  return when === 'pending' ? status === 'init' || status === 'bind' : status === when
}

const parametersOf = ({ fault, parameters }: ArmedServiceFault): About['parameters'] => ({
  ...Object.fromEntries(
    Object.entries<FaultParameter>(serviceFaultOf(fault).parameters ?? {}).map(([name, { preset }]) => [name, preset]),
  ),
  ...(parameters as About['parameters'] | undefined),
})

const addressOfAnother = async (
  { services, workspace }: RequestContext,
  rp: string,
  { user_id }: Subject,
): Promise<string | undefined> => {
  const open = await services.store.messages.list(workspace, { rp, state: 'init', limit: 10 })
  const other = open.find((message) => message.kind === 'authentication' && message.user_id !== user_id)
  if (other === undefined) return undefined
  return encodeMessageAddress({
    baseUrl: services.addresses.baseUrl(workspace),
    kind: other.kind,
    msgId: other.id,
  })
}

type Triggered = readonly (readonly [works: Works, about: About])[]

/** From the facts to the octets: each stage of every fault, before the next stage of any. */
export const distort = (honest: RawResponse, triggered: Triggered): RawResponse => {
  const whole: JsonObject = JSON.parse(String(honest.body))
  const lied = triggered.some(([{ facts }]) => facts !== undefined)
  const data = triggered.reduce<unknown>(
    (told, [{ facts }, about]) => (facts === undefined ? told : facts(isObject(told) ? told : {}, about)),
    whole.data,
  )
  // A refusal is answered as a success.
  const envelope = triggered.reduce<unknown>(
    (told, [works, about]) => (works.envelope === undefined || !isObject(told) ? told : works.envelope(told, about)),
    lied ? { code: 0, data, error: '' } : whole,
  )
  const changed = lied || triggered.some(([works]) => works.envelope !== undefined)
  const body = triggered.reduce<string | Uint8Array>(
    (written, [{ text }, about]) =>
      text === undefined || typeof written !== 'string' ? written : text(written, about),
    changed ? JSON.stringify(envelope) : honest.body,
  )
  let answer: RawResponse = { ...honest, ...(lied ? { status: 200 } : {}), body }
  for (const [{ head }, about] of triggered) if (head !== undefined) answer = { ...answer, ...head(answer, about) }
  for (const [{ wire }, about] of triggered) if (wire !== undefined) answer = wire(answer, about)
  return answer
}

const envelope = (change: (envelope: JsonObject, about: About) => unknown): Works => ({ envelope: change })
const lie = (about: About): JsonObject => success(about, SOMEBODY)
const without = (name: string) =>
  envelope((whole) => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name)))

const text = (change: (text: string) => string | Uint8Array): Works => ({ text: change })

const page = (title: string): string =>
  `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`

const withHeader =
  (name: string, value: string) =>
  (headers: readonly HeaderPair[]): readonly HeaderPair[] => [
    ...headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase()),
    [name, value],
  ]
const header = (name: string, value: (about: About) => string): Works => ({
  head: ({ status, headers }, about) => ({ status, headers: withHeader(name, value(about))(headers) }),
})
const withStatus = (status: number, more: Works = {}): Works => ({
  ...more,
  head: (head, about) => ({ ...(more.head?.(head, about) ?? head), status }),
})
const html = (title: string): Works => ({ ...header('Content-Type', () => 'text/html'), text: () => page(title) })
const retryAfter = (value: (about: About) => string): Works =>
  withStatus(429, {
    ...header('Retry-After', value),
    text: () => String(refusalResponse(refuse('too_many_requests')).body),
  })

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le')

const lost: Works = { wire: (response) => ({ ...response, lost: true }) }

const octets = (write: (response: RawResponse, body: string) => string, then?: 'end' | 'wait'): Works => ({
  wire: (response) => ({ ...response, raw: sendOctets(write(response, octetsOf(response)), then) }),
})

/** The honest body behind a head that frames it otherwise. */
const framed = (framing: (length: number) => readonly HeaderPair[]): Works =>
  octets((response, body) => headOf(response, framing(body.length)) + body)

const CHUNKED: HeaderPair = ['Transfer-Encoding', 'chunked']
const chunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n`
const length = (octetCount: number): HeaderPair => ['Content-Length', String(octetCount)]

function* octetByOctet(body: string): Generator<Uint8Array> {
  const bytes = Buffer.from(body, 'latin1')
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
}

type Raw = NonNullable<RawResponse['raw']>

const NOTHING_TO_STOP = (): void => undefined

/** The head of an answer as octets, with what frames its body. */
const headOf = ({ status, headers }: RawResponse, framing: readonly HeaderPair[]): string =>
  [
    `HTTP/1.1 ${status} ${reasonPhrase(status)}`,
    ...[...headers, ...framing].map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

/** The body with one character for each octet. */
const octetsOf = ({ body }: RawResponse): string => Buffer.from(body).toString('latin1')

/** These octets, and then the connection ends, or stays open with nothing more to come. */
const sendOctets =
  (octets: string, then: 'end' | 'wait' = 'end'): Raw =>
  (wire) => {
    wire.write(Buffer.from(octets, 'latin1'))
    if (then === 'end') wire.end()
    return NOTHING_TO_STOP
  }

type Pace = { readonly wall: Clock; readonly length: number; readonly pause_ms: number }

/** A whole answer, piece by piece: the next one when the last one was taken and a pause has gone by. */
const sendPieces =
  (response: RawResponse, pieces: Iterable<Uint8Array>, { wall, length, pause_ms }: Pace): Raw =>
  (wire: RawWire) => {
    const left = pieces[Symbol.iterator]()
    let cancel: CancelAlarm = NOTHING_TO_STOP
    let stopped = false
    const next = (): void => {
      if (stopped) return
      const piece = left.next()
      if (piece.done === true) wire.end()
      else if (wire.write(piece.value)) pause()
      else wire.onceDrained(pause)
    }
    const pause = (): void => {
      if (!stopped) cancel = wall.at(wall.now() + pause_ms, next)
    }
    wire.write(Buffer.from(headOf(response, [['Content-Length', String(length)]]), 'latin1'))
    next()
    return () => {
      stopped = true
      cancel()
    }
  }

/** Faults of the connection: the answer is honest, but hardly a client can read it. */
const connectionWorks = {
  'connection-cut': lost,
  'no-answer': octets(() => '', 'wait'),
  'body-stalls': octets((response, body) => headOf(response, [length(body.length)]) + body.slice(0, 8), 'wait'),
  'slow-drip': {
    wire: (response, { wall, parameters }) => ({
      ...response,
      raw: sendPieces(response, octetByOctet(octetsOf(response)), {
        wall,
        length: octetsOf(response).length,
        pause_ms: Number(parameters.pause_ms),
      }),
    }),
  },
  'final-answer-lost': lost,
  'final-answer-cut-off': octets(
    (response, body) => headOf(response, [length(body.length)]) + body.slice(0, body.length / 2),
  ),
  'length-too-short': framed((own) => [length(Math.floor(own / 2))]),
  'length-too-long': framed((own) => [length(own + 100)]),
  'length-twice': framed((own) => [length(own), length(own + 1)]),
  'length-and-chunks': octets(
    (response, body) => `${headOf(response, [length(body.length), CHUNKED]) + chunk(body)}0\r\n\r\n`,
  ),
  'chunks-cut-off': octets((response, body) => headOf(response, [CHUNKED]) + chunk(body)),
  'chunk-size-wrong': octets((response, body) => `${headOf(response, [CHUNKED])}zz\r\n${body}\r\n0\r\n\r\n`),
  'header-malformed': framed((own) => [['X Handset', 'spaced'], length(own)]),
  'headers-too-large': framed((own) => [['X-Padding', 'x'.repeat(100_000)], length(own)]),
  'protocol-switched': octets((response) =>
    headOf({ ...response, status: 101 }, [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'h2c'],
    ]),
  ),
  'not-http': octets(() => 'SSH-2.0-OpenSSH_9.9\r\n'),
} as const satisfies Readonly<Record<string, Works>>

const PIECE = Buffer.alloc(64 * 1024, ' ')
/** White space, which JSON allows at its end: only a complete body can be parsed. */
function* padded(octets: string, bytes: number): Generator<Uint8Array> {
  yield Buffer.from(octets, 'latin1')
  for (let left = bytes; left > 0; left -= PIECE.length) yield PIECE.subarray(0, Math.min(left, PIECE.length))
}

/** Faults in the envelope, in its octets, and in the HTTP status and headers. */
const bodyWorks = {
  'error-code-with-success': envelope((_, about) => ({ code: 50001, data: lie(about), error: '' })),
  'http-error-with-success': withStatus(
    500,
    envelope((whole, about) => ({ ...whole, data: lie(about) })),
  ),
  'code-missing': envelope((_, about) => ({ data: lie(about), error: '' })),
  'code-null': envelope((_, about) => ({ code: null, data: lie(about), error: '' })),
  'code-false': envelope((_, about) => ({ code: false, data: lie(about), error: '' })),
  'data-empty': envelope((whole) => ({ ...whole, data: {} })),
  'data-list': envelope((whole) => ({ ...whole, data: [whole.data] })),
  'data-as-text': envelope((whole) => ({ ...whole, data: JSON.stringify(whole.data) })),
  'data-null': envelope((whole) => ({ ...whole, data: null })),
  'data-missing': without('data'),
  'envelope-missing': envelope((whole) => whole.data),
  'envelope-in-list': envelope((whole) => [whole]),
  'list-refused': withStatus(
    500,
    envelope(() => ({ code: 50001, data: {}, error: 'internal error' })),
  ),

  'members-twice': {
    envelope: (whole, about) => ({
      ...whole,
      data: { ...(isObject(whole.data) ? whole.data : {}), AGAIN: lie(about) },
    }),
    text: (whole) => whole.replace(/"AGAIN":\{(.*?)\}/, (_, twice: string) => twice),
  },
  'html-page': html('Maintenance'),
  'gateway-page': withStatus(502, html('502 Bad Gateway')),
  'gateway-page-for-good': withStatus(502, html('502 Bad Gateway')),
  'body-cut-off': text((whole) => whole.slice(0, Math.ceil(whole.length / 2))),
  'body-empty': text(() => ''),
  'body-null': text(() => 'null'),
  'body-with-byte-order-mark': text((whole) => `\ufeff${whole}`),
  'body-in-utf-16': text(utf16),
  'body-with-trailing-text': text((whole) => `${whole}\n<!-- served by node 7 -->`),
  'body-with-not-a-number': text((whole) => whole.replace('{', '{"load":NaN,')),
  'body-gigantic': {
    wire: (response, about) => ({
      ...response,
      raw: sendPieces(response, padded(octetsOf(response), Number(about.parameters.bytes)), {
        wall: about.wall,
        length: octetsOf(response).length + Number(about.parameters.bytes),
        pause_ms: 10,
      }),
    }),
  },

  'no-content': withStatus(
    204,
    text(() => ''),
  ),
  redirect: withStatus(302, { ...header('Location', ({ parameters }) => String(parameters.location)), text: () => '' }),
  'redirect-for-good': withStatus(308, {
    ...header('Location', ({ parameters }) => String(parameters.location)),
    text: () => '',
  }),
  'not-modified': withStatus(
    304,
    text(() => ''),
  ),
  'content-type-missing': {
    head: ({ status, headers }) => ({ status, headers: headers.filter(([name]) => name !== 'Content-Type') }),
  },
  'content-type-wrong': header('Content-Type', () => 'text/plain'),
  'content-type-in-capitals': header('Content-Type', () => 'Application/JSON;Charset="UTF-8"'),
  'gzip-unasked': { ...header('Content-Encoding', () => 'gzip'), text: (whole) => gzipSync(whole) },
  'encoding-unknown': { ...header('Content-Encoding', () => 'x-snappy'), text: (whole) => gzipSync(whole) },
  'clock-off': header('Date', ({ wall, parameters }) =>
    new Date(wall.now() + Number(parameters.seconds) * 1000).toUTCString(),
  ),
  'retry-after-a-day': retryAfter(({ parameters }) => String(parameters.seconds)),
  'retry-after-date': retryAfter(({ wall }) => new Date(wall.now() + 1000).toUTCString()),
  'retry-after-words': retryAfter(() => 'soon'),
  'answer-cacheable': header('Cache-Control', () => 'public, max-age=86400'),
} as const satisfies Readonly<Record<string, Works>>

export const SERVICE_FAULT_WORKS: Readonly<Record<ServiceFaultName, Works>> = {
  ...factWorks,
  ...bodyWorks,
  ...connectionWorks,
}
