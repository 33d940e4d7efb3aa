import { isFinal } from '../../src-main/core/protocol/message-state.ts'
import {
  groupOf,
  isPageName,
  type Message,
  type Refusal,
  requestKey,
  type Timeline,
} from '../../src-main/views/timeline/timeline.ts'

export type RpView =
  | { readonly kind: 'form' }
  | { readonly kind: 'request'; readonly message: Message }
  | ({ readonly kind: 'turned-down'; readonly unread?: true } & Refusal)

type RpViewInput = {
  readonly timeline: Timeline
  readonly rpId: string
  readonly page: string
  /** The seq up to which the user of the page has dismissed requests. */
  readonly dismissed: number
}

/**
 * The request of this page. While this page has none in progress, also a request that a scenario or script started at
 * the simulated RP, because it has no page of its own. Requests of other pages or of other signers are not shown.
 */
export const findShownRequest = ({ timeline, rpId, page, dismissed }: RpViewInput): Message | Refusal | undefined => {
  const own = latest(
    requestBy(timeline, requestKey(rpId, page)),
    refusalBy(timeline, requestKey(rpId, page)),
    refusalBy(timeline, requestKey('', page)),
  )
  const scripted = requestBy(timeline, requestKey(rpId))
  const shown = own === undefined || (scripted !== undefined && beganAfter(scripted, own)) ? scripted : own
  return shown === undefined || shown.seq <= dismissed ? undefined : shown.what
}

export const toRpView = (shown: Message | Refusal | undefined): RpView =>
  shown === undefined ? { kind: 'form' } : 'msgId' in shown ? requestView(shown) : { kind: 'turned-down', ...shown }

/** The RP knows only the results that it has read; if it cannot read them, it does not know how the request ended. */
const requestView = (message: Message): RpView => {
  const { unreadable, ceremony, userId, username } = message
  return unreadable === undefined
    ? { kind: 'request', message }
    : { kind: 'turned-down', ...unreadable, registering: ceremony === 'registration', userId, username, unread: true }
}

/** The last refused call that came from no page; pages show their own refused calls. */
export const findOtherRefusal = (timeline: Timeline, rpId: string): Refusal | undefined =>
  Object.entries(timeline.refusals)
    .filter(([key]) => {
      const [rp = '', askedBy = ''] = key.split(' ')
      return (rp === rpId || rp === '') && !isPageName(askedBy)
    })
    .map(([, refusal]) => refusal)
    .sort((a, b) => b.seq - a.seq)[0]

type Candidate = {
  readonly seq: number
  /** When it ended (0 for a refusal); undefined while in progress. */
  readonly endedWall?: number | undefined
  readonly what: Message | Refusal
}

const requestBy = (timeline: Timeline, key: string): Candidate | undefined => {
  const group = groupOf(timeline, timeline.newest[key] ?? '')
  if (group?.message === undefined) return undefined
  const { seq, message } = group
  return {
    seq,
    ...(isFinal(message.state) ? { endedWall: message.endedWall ?? message.startedWall } : {}),
    what: message,
  }
}

const refusalBy = ({ refusals }: Timeline, key: string): Candidate | undefined => {
  const refusal = refusals[key]
  return refusal && { seq: refusal.seq, endedWall: 0, what: refusal }
}

const latest = (...candidates: readonly (Candidate | undefined)[]): Candidate | undefined =>
  candidates.reduce((best, each) => (best === undefined || (each !== undefined && each.seq > best.seq) ? each : best))

const beganAfter = (later: Candidate, { seq, endedWall }: Candidate): boolean =>
  endedWall !== undefined && later.seq > seq && (!('msgId' in later.what) || later.what.startedWall >= endedWall)
