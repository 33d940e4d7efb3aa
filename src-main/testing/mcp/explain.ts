import { errorOfCode } from '../../core/contract/errors.ts'
import type { BenchEvent } from '../../core/contract/events.ts'
import { isSignatureMismatch } from '../../core/contract/signature-mismatch.ts'
import { en } from '../../core/messages/en/en.ts'
import { signatureText } from '../../core/messages/signature-text.ts'
import { textOf } from '../../core/messages/text.ts'
import { type Desk, ToolProblem } from './desk.ts'

type Exchange = Extract<BenchEvent, { readonly kind: 'exchange' }>
type Verdict = Extract<BenchEvent, { readonly kind: 'verdict' }>

const LOOKED_THROUGH = 500

/** The latest refusal, of the judge or of a request; with a message the latest about that one. */
export const explain = async (
  desk: Desk,
  { msg_id }: { readonly msg_id?: string | undefined },
  signal: AbortSignal,
): Promise<string> => {
  const query = {
    limit: LOOKED_THROUGH,
    latest: true,
    kind: 'exchange,verdict',
    ...(msg_id === undefined ? {} : { msg_id }),
  }
  const { events } = await desk.client.call('events.list', { query, signal })
  const refused = events.findLast(isRefusal)
  if (refused === undefined) {
    throw new ToolProblem(`Nothing was refused${msg_id === undefined ? '' : ` about ${msg_id}`} among the last events.`)
  }
  const said = refused.kind === 'verdict' ? verdictText(refused) : await exchangeText(desk, refused, signal)
  return `${said}\n${desk.pageUrl}`
}

const isRefusal = (event: BenchEvent): event is Exchange | Verdict =>
  (event.kind === 'verdict' && !event.accepted) || (event.kind === 'exchange' && event.response.code !== 0)

const verdictText = ({ ceremony, failure, steps }: Verdict): string => {
  const step = steps.find(({ outcome }) => outcome === 'failed')
  const word = failure?.word ?? ''
  const told = [
    `The ${ceremony} was judged bad: ${word}. ${textOf(en.failures, { code: word })}`,
    ...(step === undefined ? [] : [`Step ${step.id} of WebAuthn: ${textOf(en.steps, { code: step.id })}.`]),
    ...(step?.expected === undefined ? [] : [`Expected ${evidence(step.expected)}.`]),
    ...(step?.received === undefined ? [] : [`Got ${evidence(step.received)}.`]),
  ]
  return told.join(' ')
}

const evidence = (value: NonNullable<Verdict['steps'][number]['expected']>): string =>
  typeof value === 'string' ? value : textOf(en.evidence, value)

const exchangeText = async ({ client }: Desk, exchange: Exchange, signal: AbortSignal): Promise<string> => {
  const { seq, request, response } = exchange
  const name = errorOfCode(response.code)
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
