import type { RandomStreams } from '../../core/protocol/random.ts'
import type { Clock } from '../../core/protocol/time.ts'
import {
  arrivalTimes,
  type Ceremony,
  type CeremonyOutcome,
  type LoadPlan,
  randomFraction,
  type Step,
} from './load-plan.ts'
import { createTally, type Tally } from './tally.ts'

/** A user who can sign in; one ceremony at a time, as people do. */
export type LoadUser = { signIn(onStep: (step: Step) => void): Promise<CeremonyOutcome> }

export type LoadPeople = {
  readonly users: readonly LoadUser[]
  /** Registers a new user, beginning with the sign-in of a new phone. */
  register(onStep: (step: Step) => void): Promise<CeremonyOutcome>
}

export type LoadRun = { readonly tally: Tally; readonly tookMs: number; readonly stopped: boolean }

/** Ceremonies under way at the last arrival may take this long to end. */
const DRAIN_MS = 15_000

type Timer = 'arrival' | 'second' | 'drain'

type Options = {
  readonly plan: LoadPlan
  readonly people: LoadPeople
  /** A monotonic clock, in ms with fractions. */
  readonly time: Clock
  readonly random: RandomStreams
  /** Ends the load early: no new ceremony begins, and those under way are abandoned. */
  readonly stop: AbortSignal
  readonly onSecond?: (tally: Tally, elapsedMs: number) => void
}

/**
 * Open loop: arrivals come when they are due, however slow the answers are, and each latency counts from the scheduled
 * time. So a pause of the service increases the latency of every arrival during the pause.
 */
export const runLoad = ({ plan, people, time, random, stop, onSecond }: Options): Promise<LoadRun> =>
  new Promise((resolve) => {
    const tally = createTally(plan)
    const stream = (purpose: string) => random.stream('load', 'arrivals', purpose)
    const arrivals = arrivalTimes({ ...plan, kind: plan.arrivals, random: stream('times') })
    const [chance, choice] = [stream('ceremonies'), stream('users')]
    const registering = plan.mix.register / (plan.mix.register + plan.mix.auth)
    const idle = [...people.users]
    const underWay = new Map<number, { readonly ceremony: Ceremony; readonly arrivalMs: number; step: Step }>()
    const start = time.now()
    const sinceStart = (): number => time.now() - start
    let number = 0
    let next = arrivals.next()
    let allArrived = false
    let over = false
    const timers = new Map<Timer, () => void>()
    const at = (timer: Timer, when: number, act: () => void): void => void timers.set(timer, time.at(when, act))

    const finish = (): void => {
      if (over) return
      over = true
      for (const cancel of timers.values()) cancel()
      stop.removeEventListener('abort', finish)
      for (const { ceremony, arrivalMs, step } of underWay.values()) {
        const unfinished: CeremonyOutcome = { steps: [], failure: { step, code: 'unfinished' } }
        tally.ended(ceremony, unfinished, { arrivalMs, latencyMs: sinceStart() - arrivalMs })
      }
      resolve({ tally, tookMs: sinceStart(), stopped: stop.aborted })
    }

    const begin = (arrivalMs: number): void => {
      tally.arrived(arrivalMs)
      const ceremony: Ceremony = randomFraction(chance) < registering ? 'register' : 'auth'
      const room = underWay.size < MAX_CONCURRENT
      const user = ceremony === 'auth' && room ? takeOne(idle, randomFraction(choice)) : undefined
      if (!room || (ceremony === 'auth' && user === undefined)) {
        tally.dropped(arrivalMs)
        return
      }
      const id = number++
      const mine = { ceremony, arrivalMs, step: 'request' as Step }
      underWay.set(id, mine)
      tally.begun(sinceStart() - arrivalMs)
      const ended = (outcome: CeremonyOutcome): void => {
        if (over) return
        underWay.delete(id)
        if (user !== undefined) idle.push(user)
        tally.ended(ceremony, outcome, { arrivalMs, latencyMs: sinceStart() - arrivalMs })
        if (allArrived && underWay.size === 0) finish()
      }
      const onStep = (step: Step): void => {
        mine.step = step
      }
      void (user === undefined ? people.register(onStep) : user.signIn(onStep)).then(ended)
    }

    const beginDue = (): void => {
      for (let n = 0; n < AT_ONCE && next.done !== true && next.value <= sinceStart(); n++) {
        begin(next.value)
        next = arrivals.next()
      }
      if (next.done !== true) at('arrival', start + next.value, beginDue)
      // The load lasts the full duration, including the gap after the last arrival.
      else
        at('arrival', Math.max(time.now(), start + plan.durationMs), () => {
          allArrived = true
          if (underWay.size === 0) finish()
          else at('drain', time.now() + DRAIN_MS, finish)
        })
    }

    const eachSecond = (): void => {
      onSecond?.(tally, sinceStart())
      at('second', time.now() + 1000, eachSecond)
    }

    stop.addEventListener('abort', finish)
    if (stop.aborted) return finish()
    at('second', start + 1000, eachSecond)
    beginDue()
  })

/** Maximum number of arrivals in a row: a client that cannot keep up must still handle other events, such as Ctrl-C. */
const AT_ONCE = 200

/** Maximum number of ceremonies at a time: more connections could not be kept open anyway. */
const MAX_CONCURRENT = 20_000

/** Removes the element at this share of the list, without leaving a gap. */
const takeOne = <T>(from: T[], share: number): T | undefined => {
  const at = Math.floor(share * from.length)
  const last = from.pop()
  if (at >= from.length || last === undefined) return last
  const chosen = from[at]
  from[at] = last
  return chosen
}
