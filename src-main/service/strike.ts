import type { RawResponse } from '../http/message.ts'
import { type Refusal, refuse } from '../protocol/errors.ts'
import { below } from '../protocol/random.ts'
import { errorByCode } from './error-by-code.ts'
import { isOver, streamIn, type Turn } from './services.ts'
import type { Conditions, Weather } from './weather.ts'

export type Strike = {
  /** Instead of carrying the call out. */
  readonly refusal?: Refusal
  /** The call is carried out, and nobody hears of it. */
  readonly lost: boolean
}

export const CALM: Strike = { lost: false }

/** Whether nothing can strike, which is how it is nearly always. */
export const isCalm = (side: keyof Weather, { services, workspace }: Turn): boolean => {
  const { latency_ms, fail_next, fail_percent, lose_next, lose_percent } = services.settings.weather(workspace)[side]
  return latency_ms + fail_next + fail_percent + lose_next + lose_percent === 0
}

/** The one seam at which weather strikes: after the route is known, before anything is done. */
export const strike = async (side: keyof Weather, turn: Turn, operation: string): Promise<Strike> => {
  const conditions = turn.services.settings.weather(turn.workspace)[side]
  if (conditions.only.length > 0 && !conditions.only.includes(operation)) return CALM
  if (conditions.latency_ms > 0) {
    turn.trace.weather = `latency ${conditions.latency_ms} ms`
    await delay(turn, conditions.latency_ms)
    if (isOver(turn)) return { refusal: refuse('no_route'), lost: false }
  }
  if (await hits(side, turn, 'fail')) {
    turn.trace.weather = `forced ${conditions.fail_code}`
    return { refusal: refuse(errorByCode(conditions.fail_code), 'The weather of the service says so.'), lost: false }
  }
  if (await hits(side, turn, 'lose')) {
    turn.trace.weather = 'answer lost'
    return { lost: true }
  }
  return CALM
}

/** What was carried out is answered, unless the weather takes the answer. */
export const throughWeather = ({ lost }: Strike, response: RawResponse): RawResponse =>
  lost ? { ...response, lost: true } : response

const delay = (turn: Turn, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const { wall } = turn.services
    const cancel = wall.at(wall.now() + ms, resolve)
    turn.request.gone.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })

const hits = async (side: keyof Weather, turn: Turn, what: 'fail' | 'lose'): Promise<boolean> => {
  const { settings } = turn.services
  const weather = settings.weather(turn.workspace)
  const conditions = weather[side]
  const left = conditions[`${what}_next`]
  if (left > 0) {
    const changed: Conditions = { ...conditions, [`${what}_next`]: left - 1 }
    await settings.countDown(turn.workspace, { ...weather, [side]: changed })
    return true
  }
  const percent = conditions[`${what}_percent`]
  return percent > 0 && below(streamIn(turn, side, `weather ${what}`), 100) < percent
}
