import { gzipSync } from 'node:zlib'
import { refuse } from '../../core/contract/errors.ts'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import type { ServiceFaultName } from '../../core/contract/service-faults.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import type { CancelAlarm, Clock } from '../../core/protocol/time.ts'
import { refusalResponse } from '../../http/envelope-response.ts'
import { isNamed, type RawResponse } from '../../http/message.ts'
import { rawHead } from '../../http/write-response.ts'
import type { ParsedInput } from '../request/parse-input.ts'

export type FaultContext = {
  readonly operation: RpOperation
  readonly input: ParsedInput
  /** The correct user for the answer: the message's, or the call's. */
  readonly user_id: string
  readonly baseUrl: string
  /** The address of another message that the RP has under way, if there is one. */
  readonly otherUrl: string | undefined
  readonly parameters: Readonly<Record<string, string | number>>
  /** Real time, for faults that delay octets. */
  readonly wall: Clock
}

type Head = Pick<RawResponse, 'status' | 'headers'>

/** A missing stage changes nothing. The result may have any form, since a fault may break the format. */
export type FaultEffect = {
  readonly ask?: (input: ParsedInput) => ParsedInput
  /** Replaces `data` of the envelope; a refusal is then answered as a success. */
  readonly facts?: (data: JsonObject, about: FaultContext) => unknown
  readonly envelope?: (envelope: JsonObject, about: FaultContext) => unknown
  readonly text?: (text: string, about: FaultContext) => string | Uint8Array
  readonly head?: (head: Head, about: FaultContext) => Head
  readonly wire?: (response: RawResponse, about: FaultContext) => RawResponse
}

const member =
  (name: string) =>
  (change: (value: string, about: FaultContext) => unknown): FaultEffect => ({
    facts: (data, about) => ({ ...data, [name]: change(String(data[name]), about) }),
  })
const [user, status, url] = [member('user_id'), member('status'), member('url')]
/** A false state in an answer that otherwise looks like a success. */
const claimed = (change: (status: string, about: FaultContext) => unknown): FaultEffect => ({
  facts: (data, about) => ({ ...asClaimed(data, about), status: change(String(data.status), about) }),
})
const asClaimed = (data: JsonObject, { operation, user_id }: FaultContext): JsonObject => ({
  ...data,
  ...(operation === 'assertion.result' ? { user_id } : {}),
  svc_user: data.svc_user || SOMEBODY.svc_user,
})
const expiry = (change: (seconds: number) => unknown): FaultEffect => ({
  facts: (data) => ({ ...data, expires_at: change(Number(data.expires_at)) }),
})
const list = (change: (list: readonly JsonObject[], about: FaultContext) => JsonObject): FaultEffect => ({
  facts: (data, about) => ({ ...data, ...change(Array.isArray(data.list) ? data.list.filter(isObject) : [], about) }),
})

/** Data of a success; authentications name the user. */
const success = ({ operation, user_id }: FaultContext, more: JsonObject = {}): JsonObject => ({
  svc_user: '',
  status: 'success',
  error: '',
  ...(operation === 'assertion.result' ? { user_id } : {}),
  ...more,
})
const SOMEBODY = { svc_user: 'Li Wei (138****5678)' } as const

const without =
  (name: string) =>
  (data: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(data).filter(([key]) => key !== name))

/** Harmless if a page renders it as an element. */
export const SAMPLE_MARKUP = `<i data-handset-markup="1" title='&quot;'>markup</i>`

const FOREIGN = {
  credential_id: 'Zm9yZWlnbi1jcmVkZW50aWFs',
  credential_name: 'Somebody else’s phone',
  user_id: 'somebody-else',
  created_at: '2030-01-01T00:00:00Z',
  updated_at: '2030-01-01T00:00:00Z',
} as const

/** Faults that report false facts in an otherwise correct answer. */
const factWorks = {
  'user-of-another': user((_, { parameters }) => parameters.user_id),
  'user-in-other-case': user((id) => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase())),
  'user-with-space': user((id) => `${id} `),
  'user-in-other-normalization': user((id) => (id === id.normalize('NFD') ? id.normalize('NFC') : id.normalize('NFD'))),
  'user-cut-off': user((id) => id.slice(0, -1)),
  'user-with-zero-width-space': user((id) => `${id}\u200b`),
  'user-empty': user(() => ''),
  'user-null': user(() => null),
  'user-missing': { facts: without('user_id') },
  'user-in-list': user((id) => [id]),

  'success-unscanned': { facts: (_, about) => success(about) },
  'success-for-another-unscanned': { facts: (_, about) => success(about, { ...SOMEBODY, user_id: 'somebody-else' }) },
  'status-unknown': claimed((_, { parameters }) => parameters.status),
  'status-empty': claimed(() => ''),
  'status-missing': { facts: (data, about) => without('status')(asClaimed(data, about)) },
  'status-null': claimed(() => null),
  'status-number': claimed(() => 1),
  'status-true': claimed(() => true),
  'success-in-capitals': claimed(() => 'SUCCESS'),
  'success-with-suffix': claimed(() => 'success_pending'),
  'status-in-list': claimed(() => ['success']),
  'fail-in-capitals': claimed((status) => status.toUpperCase()),
  'fail-with-space': claimed((status) => `${status} `),
  'fail-in-past-tense': claimed(() => 'failed'),
  'fail-with-user': user((_, { user_id }) => user_id),
  'success-with-error': { facts: (data, about) => ({ ...success(about, SOMEBODY), error: data.error }) },
  'success-again': { facts: (_, about) => success(about, SOMEBODY) },
  'timeout-too-early': status(() => 'timeout'),
  'status-goes-back': { facts: (data) => ({ ...data, status: 'init', svc_user: '' }) },
  'svc-user-with-markup': { facts: (data) => ({ ...data, svc_user: `Li Wei ${SAMPLE_MARKUP}` }) },
  'error-with-markup': { facts: (data) => ({ ...data, error: `user_rejected: ${SAMPLE_MARKUP}` }) },
  'registered-unscanned': { facts: (_, about) => success(about) },
  'registered-not-stored': { facts: (_, about) => success(about, SOMEBODY) },

  'url-of-another-message': url((own, { parameters, otherUrl }) => parameters.url || (otherUrl ?? own)),
  'url-to-another-host': url((own) => own.replace(/^https?:\/\/[^/]+/, 'https://sign-in.example.net')),
  'url-with-script': url((own) => `javascript:alert(1)//${own}`),
  'url-without-token': url((own) => own.slice(0, own.indexOf('#'))),
  'url-with-empty-token': url((own) => own.slice(0, own.indexOf('#') + 2)),
  'url-empty': url(() => ''),
  'url-null': url(() => null),
  'url-missing': { facts: without('url') },
  'url-number': url(() => 42),
  'expires-in-past': expiry((at) => at - 3600),
  'expires-in-milliseconds': expiry((at) => at * 1000),
  'expires-never': expiry(() => Number.MAX_SAFE_INTEGER),
  'expires-as-date': expiry((at) => new Date(at * 1000).toISOString()),
  'expires-missing': { facts: without('expires_at') },
  'expires-negative': expiry(() => -1),

  'list-empty': { facts: () => ({ total: 0, list: [] }) },
  'list-of-another': list((held) => ({ total: held.length + 1, list: [...held, FOREIGN] })),
  'list-repeats': list((held) => ({ total: held.length * 2, list: [...held, ...held] })),
  'list-null': { facts: (data) => ({ ...data, list: null }) },
  'list-missing': { facts: without('list') },
  'list-as-object': list((held) => ({ list: { ...held } })),
  'list-total-too-high': list((held) => ({ total: held.length + 1 })),
  'list-with-markup': list((held) => ({
    list: held.map((each) => ({ ...each, credential_name: `Phone ${SAMPLE_MARKUP}` })),
  })),
  'list-ids-missing': list((held) => ({ list: held.map(without('credential_id')) })),
  'list-with-null': list((held) => ({ total: held.length + 1, list: [...held, null] })),
  'deletion-not-done': {
    ask: ({ body, ...input }) => ({ ...input, body: { ...body, credential_ids: [] } }),
    facts: (_, { input }) => ({
      total: Array.isArray(input.body.credential_ids) ? input.body.credential_ids.length : 0,
    }),
  },
  'deletion-counts-none': { facts: () => ({ total: 0 }) },
} as const satisfies Readonly<Record<string, FaultEffect>>

const envelope = (change: (envelope: JsonObject, about: FaultContext) => unknown): FaultEffect => ({ envelope: change })
const lie = (about: FaultContext): JsonObject => success(about, SOMEBODY)

const text = (change: (text: string) => string | Uint8Array): FaultEffect => ({ text: change })

const page = (title: string): string =>
  `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`

const header = (name: string, value: (about: FaultContext) => string): FaultEffect => ({
  head: ({ status, headers }, about) => ({
    status,
    headers: [...headers.filter(([key]) => !isNamed(key, name.toLowerCase())), [name, value(about)]],
  }),
})
const withStatus = (status: number, more: FaultEffect = {}): FaultEffect => ({
  ...more,
  head: (head, about) => ({ ...(more.head?.(head, about) ?? head), status }),
})
const withoutBody = text(() => '')
const relocated: FaultEffect = {
  ...header('Location', ({ parameters }) => String(parameters.location)),
  ...withoutBody,
}
const html = (title: string): FaultEffect => ({ ...header('Content-Type', () => 'text/html'), text: () => page(title) })
const retryAfter = (value: (about: FaultContext) => string): FaultEffect =>
  withStatus(429, {
    ...header('Retry-After', value),
    text: () => String(refusalResponse(refuse('too_many_requests')).body),
  })

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le')

const lost: FaultEffect = { wire: (response) => ({ ...response, lost: true }) }

const octets = (write: (response: RawResponse, body: string) => string, then?: 'end' | 'wait'): FaultEffect => ({
  wire: (response) => ({ ...response, raw: sendOctets(write(response, octetsOf(response)), then) }),
})

/** Sends the unchanged body after a head with this framing. */
const framed = (framing: (length: number) => readonly HeaderPair[]): FaultEffect =>
  octets((response, body) => rawHead(response, framing(body.length)) + body)

const CHUNKED: HeaderPair = ['Transfer-Encoding', 'chunked']
const chunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n`
const length = (octetCount: number): HeaderPair => ['Content-Length', String(octetCount)]

function* octetByOctet(body: string): Generator<Uint8Array> {
  for (const octet of Buffer.from(body, 'latin1')) yield Uint8Array.of(octet)
}

type Raw = NonNullable<RawResponse['raw']>

const NOTHING_TO_STOP = (): void => undefined

/** The body with one character for each octet. */
const octetsOf = ({ body }: RawResponse): string => Buffer.from(body).toString('latin1')

/** Sends these octets, then ends the connection or leaves it open and silent. */
const sendOctets =
  (octets: string, then: 'end' | 'wait' = 'end'): Raw =>
  (wire) => {
    wire.write(Buffer.from(octets, 'latin1'))
    if (then === 'end') wire.end()
    return NOTHING_TO_STOP
  }

type Pace = { readonly wall: Clock; readonly length: number; readonly pause_ms: number }

/** Sends an answer in pieces. Each waits until the previous one was written and a pause has passed. */
const sendPieces =
  (response: RawResponse, pieces: Iterable<Uint8Array>, { wall, length, pause_ms }: Pace): Raw =>
  (wire) => {
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
    wire.write(Buffer.from(rawHead(response, [['Content-Length', String(length)]]), 'latin1'))
    next()
    return () => {
      stopped = true
      cancel()
    }
  }

/** Faults of the connection: the answer is correct, but few clients can read it. */
const connectionWorks = {
  'connection-cut': lost,
  'no-answer': octets(() => '', 'wait'),
  'body-stalls': octets((response, body) => rawHead(response, [length(body.length)]) + body.slice(0, 8), 'wait'),
  'slow-drip': {
    wire: (response, { wall, parameters }) => {
      const body = octetsOf(response)
      const pace = { wall, length: body.length, pause_ms: Number(parameters.pause_ms) }
      return { ...response, raw: sendPieces(response, octetByOctet(body), pace) }
    },
  },
  'final-answer-lost': lost,
  'final-answer-cut-off': octets(
    (response, body) => rawHead(response, [length(body.length)]) + body.slice(0, body.length / 2),
  ),
  'length-too-short': framed((own) => [length(Math.floor(own / 2))]),
  'length-too-long': framed((own) => [length(own + 100)]),
  'length-twice': framed((own) => [length(own), length(own + 1)]),
  'length-and-chunks': octets(
    (response, body) => `${rawHead(response, [length(body.length), CHUNKED]) + chunk(body)}0\r\n\r\n`,
  ),
  'chunks-cut-off': octets((response, body) => rawHead(response, [CHUNKED]) + chunk(body)),
  'chunk-size-wrong': octets((response, body) => `${rawHead(response, [CHUNKED])}zz\r\n${body}\r\n0\r\n\r\n`),
  'header-malformed': framed((own) => [['X Handset', 'spaced'], length(own)]),
  'headers-too-large': framed((own) => [['X-Padding', 'x'.repeat(100_000)], length(own)]),
  'protocol-switched': octets((response) =>
    rawHead({ ...response, status: 101 }, [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'h2c'],
    ]),
  ),
  'not-http': octets(() => 'SSH-2.0-OpenSSH_9.9\r\n'),
} as const satisfies Readonly<Record<string, FaultEffect>>

const PIECE = Buffer.alloc(64 * 1024, ' ')
/** Appends white space, which JSON allows at its end: only a complete body can be parsed. */
function* padded(octets: string, bytes: number): Generator<Uint8Array> {
  yield Buffer.from(octets, 'latin1')
  for (let left = bytes; left > 0; left -= PIECE.length) yield PIECE.subarray(0, Math.min(left, PIECE.length))
}

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
  'data-missing': envelope(without('data')),
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
  'body-empty': withoutBody,
  'body-null': text(() => 'null'),
  'body-with-byte-order-mark': text((whole) => `\ufeff${whole}`),
  'body-in-utf-16': text(utf16),
  'body-with-trailing-text': text((whole) => `${whole}\n<!-- served by node 7 -->`),
  'body-with-not-a-number': text((whole) => whole.replace('{', '{"load":NaN,')),
  'body-gigantic': {
    wire: (response, { wall, parameters }) => {
      const [body, more] = [octetsOf(response), Number(parameters.bytes)]
      const pace = { wall, length: body.length + more, pause_ms: 10 }
      return { ...response, raw: sendPieces(response, padded(body, more), pace) }
    },
  },

  'no-content': withStatus(204, withoutBody),
  redirect: withStatus(302, relocated),
  'redirect-for-good': withStatus(308, relocated),
  'not-modified': withStatus(304, withoutBody),
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
} as const satisfies Readonly<Record<string, FaultEffect>>

export const FALSE_ANSWERS: Readonly<Record<ServiceFaultName, FaultEffect>> = {
  ...factWorks,
  ...bodyWorks,
  ...connectionWorks,
}
