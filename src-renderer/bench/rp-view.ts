import type { ExchangeEvent } from '../../src-main/protocol/exchange-event.ts'
import type { Message, Timeline } from './timeline.ts'

/** What the RP's page shows: the RP's newest request, or why there is none. */
export type RpView =
  | { readonly kind: 'form' }
  | { readonly kind: 'request'; readonly message: Message }
  | {
      readonly kind: 'turned-down'
      readonly seq: number
      readonly code: number
      readonly error: string
      readonly registering: boolean
    }

type RpViewInput = {
  readonly timeline: Timeline
  readonly rpId: string
  /** The seq up to which the person at the page has put things away. */
  readonly dismissed: number
  readonly lookUp: (seq: number) => ExchangeEvent | undefined
}

export const rpView = ({ timeline, rpId, dismissed, lookUp }: RpViewInput): RpView => {
  const group = timeline.groups.findLast(({ message }) => message?.rpId === rpId)
  const refused = lastRefusal({ timeline, rpId, lookUp })
  if (refused !== undefined && refused.seq > dismissed && refused.seq > (group?.seq ?? 0)) return refused
  if (group?.message !== undefined && group.seq > dismissed) return { kind: 'request', message: group.message }
  return { kind: 'form' }
}

/** The RP's last options call, when the service turned it down and so made no message. */
const lastRefusal = ({ timeline, rpId, lookUp }: Omit<RpViewInput, 'dismissed'>) => {
  for (const group of timeline.groups.toReversed()) {
    if (group.message !== undefined) continue
    for (const row of group.rows.toReversed()) {
      if (!/rp\/(attestation|assertion)\/options$/.test(row.route) || row.code === 0) continue
      const event = lookUp(row.seqs.at(-1) ?? row.id)
      if (event?.kind !== 'exchange' || (event.rp_id !== undefined && event.rp_id !== rpId)) continue
      return {
        kind: 'turned-down',
        seq: event.seq,
        code: event.response.code,
        error: errorOf(event.response.body),
        registering: row.route.includes('attestation'),
      } as const
    }
  }
  return undefined
}

const errorOf = (body: string): string => {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null && 'error' in parsed ? String(parsed.error) : ''
  } catch {
    return ''
  }
}
