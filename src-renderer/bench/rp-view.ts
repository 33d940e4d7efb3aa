import { groupOf, type Message, type Refusal, type Timeline } from './timeline.ts'

/** What the RP's page shows: the RP's newest request, or why there is none. */
export type RpView =
  | { readonly kind: 'form' }
  | { readonly kind: 'request'; readonly message: Message }
  | ({ readonly kind: 'turned-down' } & Refusal)

type RpViewInput = {
  readonly timeline: Timeline
  readonly rpId: string
  /** The seq up to which the person at the page has put things away. */
  readonly dismissed: number
}

export const rpView = ({ timeline, rpId, dismissed }: RpViewInput): RpView => {
  const group = groupOf(timeline, timeline.newest[rpId] ?? '')
  const refused = lastRefusal(timeline, rpId)
  if (refused !== undefined && refused.seq > dismissed && refused.seq > (group?.seq ?? 0)) {
    return { kind: 'turned-down', ...refused }
  }
  if (group?.message !== undefined && group.seq > dismissed) return { kind: 'request', message: group.message }
  return { kind: 'form' }
}

/** Of this RP's own calls and those of which nobody knows whose they were. */
const lastRefusal = ({ refusals }: Timeline, rpId: string): Refusal | undefined => {
  const [own, unknown] = [refusals[rpId], refusals['']]
  return own === undefined || (unknown !== undefined && unknown.seq > own.seq) ? unknown : own
}
