import type { JsonObject } from '../../core/protocol/json.ts'
import type { RpAnswer } from '../../sdk/rp.ts'
import { type Asked, type RpDecision, WAITS } from './attempt.ts'

/** Facts other than the result that a careless RP takes from the service. */
export type CarelessMemory = {
  /** The last state that was reported to it. */
  readonly seen: 'init' | 'bind'
  /** It takes an answer for good until then, in milliseconds of its clock; or asks for none. */
  readonly quietUntil?: number
  /** It takes the service's clock for its own. */
  readonly skew?: number
}

export const NEW_MEMORY: CarelessMemory = { seen: 'init' }

type Careless = { readonly decision: RpDecision; readonly memory: CarelessMemory }

/** An RP that works with a correct service, and believes every answer. */
export const decideCarelessly = (
  asked: Asked,
  answer: RpAnswer | undefined,
  before: CarelessMemory,
  now: number,
): Careless => {
  if (answer === undefined) return { decision: BROKE, memory: before }
  const memory = { ...before, ...tellsIn(answer, now) }
  try {
    return { memory: { ...memory, seen: seenIn(answer, memory) }, decision: believed(asked, answer, memory) }
  } catch {
    // A member that is not there, or text that is no JSON: its page says HTTP 500.
    return { decision: BROKE, memory }
  }
}

const BROKE: RpDecision = { made: 'broke' }
const ALREADY_READ = 41001
const TOO_MANY = 42901

const header = ({ headers }: RpAnswer, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const tellsIn = (answer: RpAnswer, now: number): Omit<CarelessMemory, 'seen'> => {
  const date = Date.parse(header(answer, 'date') ?? '')
  const age = /max-age=(\d+)/.exec(header(answer, 'cache-control') ?? '')?.[1]
  const later = answer.httpStatus === 429 ? (header(answer, 'retry-after') ?? '1') : age
  // A clock that differs by less than this is the same one, read a moment later.
  const skew = Number.isNaN(date) || Math.abs(date - now) < 5000 ? 0 : date - now
  return { skew, ...(later === undefined ? {} : { quietUntil: now + Number(later) * 1000 }) }
}

const dataIn = ({ body }: RpAnswer): JsonObject => JSON.parse(Buffer.from(body).toString('utf8')).data

const seenIn = (answer: RpAnswer, { seen }: CarelessMemory): CarelessMemory['seen'] => {
  const status: unknown = dataIn(answer)?.status
  return status === 'init' || status === 'bind' ? status : seen
}

const believed = ({ ceremony, user_id }: Asked, answer: RpAnswer, { seen, quietUntil }: CarelessMemory): RpDecision => {
  if (header(answer, 'content-type') !== 'application/json; charset=utf-8') return BROKE
  const envelope = JSON.parse(Buffer.from(answer.body).toString('utf8'))
  const success = (named: unknown): RpDecision => ({
    made: 'success',
    account: ceremony === 'authentication' && named ? String(named) : user_id,
  })
  if (answer.httpStatus >= 400 && envelope.code) {
    // Read already: so it must have gone well.
    if (envelope.code === ALREADY_READ) return success(undefined)
    if (envelope.code !== TOO_MANY) return { made: 'fail' }
    return Number.isNaN(quietUntil) ? BROKE : WAITS
  }
  const { status, user_id: named } = envelope.data
  if (status === 'init' && seen === 'bind') return BROKE
  if (named) return success(named)
  if (status === 'init' || status === 'bind') return WAITS
  return status === 'fail' || status === 'timeout' ? { made: status } : success(undefined)
}
