import { routeOf } from '../route-name.ts'
import type { EventOf, Refusal, Timeline } from '../timeline.ts'

/** An options call that was turned down made no message: the RP's page says why. */
export const foldRefusal = (timeline: Timeline, event: EventOf<'exchange'>): Timeline => {
  const route = routeOf(event)
  const { code } = event.response
  if (code === 0 || !/rp\/(attestation|assertion)\/options$/.test(route)) return timeline
  const refused: Refusal = {
    seq: event.seq,
    code,
    error: errorOf(event.response.body),
    registering: route.includes('attestation'),
  }
  return { ...timeline, refusals: { ...timeline.refusals, [event.rp_id ?? '']: refused } }
}

const errorOf = (body: string): string => {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null && 'error' in parsed ? String(parsed.error) : ''
  } catch {
    return ''
  }
}
