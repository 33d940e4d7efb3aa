import type { ExchangeFact } from '../contract/events.ts'
import type { Evidence } from '../contract/judge/evidence.ts'
import type { JudgedStep } from '../contract/judge/verdict.ts'
import { isObject, parseJsonOrNothing } from '../protocol/json.ts'

type Judged = Pick<JudgedStep, 'outcome' | 'expected' | 'received' | 'checks'>

/** One difference between the sent and the honest answer; a side without the member is undefined. */
export type AnswerDifference = {
  readonly member: string
  readonly sent: string | undefined
  readonly honest: string | undefined
}

/** Longer texts are shown only in the response. */
const MAX_SHOWN = 160

/** Member by member if both are answers of the service, else as a whole. */
export const findDifferences = ({
  response,
  honest,
}: Pick<ExchangeFact, 'response' | 'honest'>): readonly AnswerDifference[] => {
  if (honest === undefined) return []
  const status =
    response.status === honest.status
      ? []
      : [{ member: 'HTTP', sent: String(response.status), honest: String(honest.status) }]
  const [sent, right] = [membersOf(response.body), membersOf(honest.body)]
  if (sent === undefined || right === undefined) {
    return response.body === honest.body
      ? status
      : [...status, { member: '', sent: shorten(response.body), honest: shorten(honest.body) }]
  }
  const members = [...new Set([...Object.keys(right), ...Object.keys(sent)])]
  return [
    ...status,
    ...members.flatMap((member) => {
      const [sentText, is] = [text(sent[member]), text(right[member])]
      return sentText === is ? [] : [{ member, sent: sentText, honest: is }]
    }),
  ]
}

/** From the first failed step that has both values. */
export const findSentAndHonest = (
  steps: readonly Judged[],
): { readonly sent: Evidence; readonly honest: Evidence } | undefined => {
  const failed = steps.flatMap((step) => [step, ...(step.checks ?? [])]).filter(({ outcome }) => outcome === 'failed')
  for (const { received, expected } of failed)
    if (received !== undefined && expected !== undefined) return { sent: received, honest: expected }
  return undefined
}

/** The envelope's members, with those of its data in place of `data`. */
const membersOf = (body: string): Readonly<Record<string, unknown>> | undefined => {
  const envelope = parseJsonOrNothing(body)
  if (!isObject(envelope)) return undefined
  const { code, data } = envelope
  if (!isObject(data)) return undefined
  return { ...(code === undefined ? {} : { code }), ...data }
}

const text = (value: unknown): string | undefined =>
  value === undefined ? undefined : shorten(typeof value === 'string' ? value : JSON.stringify(value))

export const shorten = (value: string): string => (value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value)
