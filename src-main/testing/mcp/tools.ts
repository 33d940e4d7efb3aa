import { LONGEST_PICTURE } from '../../core/contract/control/phone-routes.ts'
import { errorNameOf } from '../../core/contract/errors.ts'
import { type BenchEvent, type EventOf, isSignatureMismatch } from '../../core/contract/events.ts'
import { object, optional, type Schema, shortText, text, type ValueOf, whole } from '../../core/contract/schema.ts'
import { SERVICE_FAULT_NAMES } from '../../core/contract/service-faults.ts'
import { en } from '../../core/messages/en/en.ts'
import { signatureText } from '../../core/messages/signature-text.ts'
import { textOf, textOrData } from '../../core/protocol/coded.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { didYouMean } from '../../core/protocol/nearest.ts'
import { type Body, ControlError } from '../../sdk/client.ts'
import { encodePicture } from '../../sdk/scannable.ts'
import { findOrCreatePhone, type PhoneState, screenText, type ToolContext, ToolProblem } from './tool-context.ts'

export type Tool = {
  readonly name: string
  readonly description: string
  readonly input: Schema
  readonly run: (context: ToolContext, input: never, signal: AbortSignal) => Promise<string>
}

const tool = <S extends Schema>(
  name: string,
  description: string,
  input: S,
  run: (context: ToolContext, input: ValueOf<S>, signal: AbortSignal) => Promise<string>,
): Tool => ({ name, description, input, run })

const WAIT_ENDED = 40905

/** A push that has already arrived is opened at once. A new phone gets no push before it has registered. */
const waitForPush = async (
  context: ToolContext,
  { phone, timeout_s = 30 }: { readonly phone?: string | undefined; readonly timeout_s?: number | undefined },
  signal: AbortSignal,
): Promise<string> => {
  const { client } = context
  const { last_seq } = await client.call('overview', { signal })
  const before = await findOrCreatePhone(context, phone, signal)
  const push =
    before.notifications[0]?.msg_id ?? (await arrival(context, before, { after: last_seq, timeout_s, signal }))
  return screenText(await client.call('phones.open', { params: { id: before.id }, body: { msg_id: push }, signal }))
}

type Wait = { readonly after: number; readonly timeout_s: number; readonly signal: AbortSignal }

const arrival = async ({ client }: ToolContext, { id, name }: PhoneState, { after, timeout_s, signal }: Wait) => {
  const match = { kind: 'phone', change: 'pushed', phone_id: id }
  const body = { match, after, timeout_ms: timeout_s * 1000 }
  const event = await client.call('events.wait', { body, signal }).catch((reason: unknown) => {
    if (reason instanceof ControlError && reason.code === WAIT_ENDED)
      throw new ToolProblem(`No push reached ${name} within ${timeout_s} s. Is the user registered with this phone?`)
    throw reason
  })
  const newest = event.kind === 'phone' ? event.phone?.notifications[0] : undefined
  if (newest === undefined) throw new ToolProblem('The push was gone before it could be opened.')
  return newest.msg_id
}

const EVENTS_TO_READ = 500

/** The latest refusal, by the judge or of a request. With `msg_id`, the latest refusal about this message. */
const explain = async (
  context: ToolContext,
  { msg_id }: { readonly msg_id?: string | undefined },
  signal: AbortSignal,
) => {
  const query = { limit: EVENTS_TO_READ, latest: true, kind: 'exchange,verdict', ...withoutUndefined({ msg_id }) }
  const { events } = await context.client.call('events.list', { query, signal })
  const refused = events.findLast(isRefusal)
  if (refused === undefined) {
    throw new ToolProblem(`Nothing was refused${msg_id === undefined ? '' : ` about ${msg_id}`} among the last events.`)
  }
  const said = refused.kind === 'verdict' ? verdictText(refused) : await exchangeText(context, refused, signal)
  return `${said}\n${context.pageUrl}`
}

const isRefusal = (event: BenchEvent): event is EventOf<'exchange' | 'verdict'> =>
  (event.kind === 'verdict' && !event.accepted) || (event.kind === 'exchange' && event.response.code !== 0)

const verdictText = ({ ceremony, failure, steps }: EventOf<'verdict'>): string => {
  const step = steps.find(({ outcome }) => outcome === 'failed')
  const word = failure?.word ?? ''
  const sentences = [
    `The ${ceremony} was judged bad: ${word}. ${textOf(en.failures, { code: word })}`,
    ...(step === undefined ? [] : [`Step ${step.id} of WebAuthn: ${textOf(en.steps, { code: step.id })}.`]),
    ...(step?.expected === undefined ? [] : [`Expected ${textOrData(en.evidence, step.expected)}.`]),
    ...(step?.received === undefined ? [] : [`Got ${textOrData(en.evidence, step.received)}.`]),
  ]
  return sentences.join(' ')
}

const exchangeText = async ({ client }: ToolContext, exchange: EventOf<'exchange'>, signal: AbortSignal) => {
  const { seq, request, response } = exchange
  const name = errorNameOf(response.code)
  const head = `${request.method} ${request.target} was refused with ${response.code}${name === undefined ? '' : ` ${name}. ${en.errors[name]} ${en.advice[name]}`}`
  if (!isSignatureMismatch(exchange)) return head
  const found = await client.call('events.signature', { params: { seq: String(seq) }, signal })
  const mistakes = signatureText(en, found)
  const { difference } = found
  const line =
    difference === undefined
      ? ''
      : ` First difference: ${difference.in} line ${difference.line}: signed ${JSON.stringify(difference.signed ?? '')}, wanted ${JSON.stringify(difference.computed ?? '')}.`
  return `${head} ${mistakes === '' ? 'No usual mistake gives this signature.' : mistakes}${line}`
}

const phone = optional(shortText('Name or ID of the phone; needed only when there are several.'))

/** Every tool is one action of a person, and reports its result in a line or two. */
export const TOOLS: readonly Tool[] = [
  tool(
    'wait_for_push',
    'Waits until the site under test sends a sign-in to the phone, and opens it. Then call approve or refuse.',
    object({ phone, timeout_s: optional(whole('30 when absent.', { minimum: 1, maximum: 60 })) }),
    waitForPush,
  ),
  tool(
    'scan',
    'Scans the QR code that the site under test shows. Answers what the phone asks; then call approve or refuse.',
    object({
      url: optional(text('What the QR code says: the url that the service gave the site.', { maxLength: 2000 })),
      image: optional(text('Or a screenshot with the code: PNG or JPEG in Base64.', { maxLength: LONGEST_PICTURE })),
      file: optional(shortText('Or the file of the screenshot.')),
      phone,
    }),
    async (context, { phone: wanted, ...code }, signal) => {
      const body = seenIn(context, code)
      const { id } = await findOrCreatePhone(context, wanted, signal)
      return screenText(await context.client.call('phones.scan', { params: { id }, body, signal }))
    },
  ),
  tool(
    'approve',
    'Puts the finger on the phone: registers or signs in.',
    object({ phone }),
    async (context, { phone: wanted }, signal) => {
      const { id } = await findOrCreatePhone(context, wanted, signal)
      return screenText(await context.client.call('phones.approve', { params: { id }, body: {}, signal }))
    },
  ),
  tool(
    'refuse',
    'Says no on the phone.',
    object({ phone, reason: optional(shortText('A word such as user_rejected.')) }),
    async (context, { phone: wanted, reason }, signal) => {
      const { id, name } = await findOrCreatePhone(context, wanted, signal)
      const body = reason === undefined ? {} : { reason }
      await context.client.call('phones.reject', { params: { id }, body, signal })
      return `${name} said no. The site reads status fail.`
    },
  ),
  tool(
    'break',
    'Arms a fault of the phone or of the service for the next attempt, such as challenge-wrong or user-of-another, to see whether the site refuses it. An unknown name answers with names like it.',
    object({
      fault: shortText('Its name.'),
      times: optional(whole('1 when absent.', { minimum: 1, maximum: 1000 })),
      phone,
    }),
    async (context, { fault, times = 1, phone: wanted }, signal) => {
      if ((SERVICE_FAULT_NAMES as readonly string[]).includes(fault)) {
        const body = { fault: fault as (typeof SERVICE_FAULT_NAMES)[number], times }
        await context.client.call('service.arm', { body, signal })
        return `The service will commit ${fault} ${times} time(s).`
      }
      const { faults } = await context.client.call('catalogue.faults', { signal })
      const names = faults.map(({ name }) => name)
      if (!names.includes(fault)) throw new ToolProblem(unknownFault(fault, names))
      const { id, name } = await findOrCreatePhone(context, wanted, signal)
      await context.client.call('phones.arm', { params: { id }, body: { fault, times }, signal })
      return `${name} will commit ${fault} ${times} time(s).`
    },
  ),
  tool(
    'explain',
    'Says why the latest request or ceremony was refused, or that of a message.',
    object({ msg_id: optional(shortText('The ID of the message.')) }),
    explain,
  ),
  tool(
    'reset',
    'Back to the start: messages, credentials, accounts and phones go, faults and network conditions too. RPs and keys stay.',
    object({}),
    async ({ client }, _, signal) => {
      await client.call('service.disarm-all', { signal })
      await client.call('conditions.delete', { query: {}, signal })
      await client.call('workspace.reset', { body: {}, signal })
      return 'The workspace is empty again.'
    },
  ),
  tool(
    'run',
    'Plays a scenario (YAML) in a workspace of its own. Answers whether it passed, or which step failed and why.',
    object({
      yaml: optional(text('The scenario itself.', { maxLength: 200_000 })),
      file: optional(shortText('Or the file it is in.')),
    }),
    async (context, { yaml, file }, signal) => {
      if ((yaml === undefined) === (file === undefined)) throw new ToolProblem('Give either yaml or file.')
      const source = yaml === undefined ? { file: file ?? '' } : { yaml }
      const played = await context.play(source, signal)
      return played.map(playedText).join('\n')
    },
  ),
]

type Code = Partial<Readonly<Record<'url' | 'image' | 'file', string | undefined>>>

const seenIn = (context: ToolContext, { url, image, file }: Code): Body<'phones.scan'> => {
  if ([url, image, file].filter((each) => each !== undefined).length !== 1)
    throw new ToolProblem('Give one of url, image and file.')
  if (url !== undefined) return { url: url.trim() }
  const octets =
    image === undefined
      ? context.readPicture(file ?? '')
      : Buffer.from(image.replace(/^data:image\/\w+;base64,/, ''), 'base64')
  try {
    return { image: encodePicture(octets) }
  } catch {
    throw new ToolProblem(en.phoneProblems.unreadable_picture)
  }
}

const unknownFault = (fault: string, names: readonly string[]): string => {
  const all = [...names, ...SERVICE_FAULT_NAMES]
  const word = fault.split('-').find((part) => part.length > 3) ?? fault
  const like = all.filter((name) => name.includes(word)).slice(0, 12)
  const known = like.length > 0 ? like : all.slice(0, 12)
  return `There is no fault "${fault}".${didYouMean(fault, all)} Some there are: ${known.join(', ')}.`
}

const playedText = ({ name, report, steps }: Awaited<ReturnType<ToolContext['play']>>[number]): string => {
  if (report.ok) return `passed: ${name}, ${report.steps} steps`
  const failed = steps.find(({ ok }) => !ok)
  if (failed === undefined) return `failed: ${name}`
  const why = [
    ...(failed.expected === undefined ? [] : [`expected ${failed.expected}`]),
    ...(failed.received === undefined ? [] : [`got ${failed.received}`]),
  ]
  return `failed: ${name}, line ${failed.line}, ${failed.title}: ${why.join(', ')}`
}
