import type { Clock } from '../../core/protocol/clock.ts'
import type { Millis } from '../../core/protocol/time.ts'

/** Real time as another clock has it: of several machines, one leads. */
export type LedClock = Clock & { stop(): void }

const EVERY_MS = 10_000
/** Within this the clocks of two machines agree; what is less is the way of the answer. */
const AGREE_MS = 250

/** `ask` answers with the leader's time. One that does not answer is asked again; until then the last difference holds. */
export const followClock = async (real: Clock, ask: () => Promise<Millis>): Promise<LedClock> => {
  let ahead = 0
  const compare = async (): Promise<void> => {
    const before = real.now()
    const told = await ask()
    const after = real.now()
    // It was asked at some moment in between.
    const difference = Math.round(told - (before + after) / 2)
    ahead = Math.abs(difference) <= AGREE_MS + (after - before) / 2 ? 0 : difference
  }
  await compare()
  const timer = setInterval(() => void compare().catch(() => undefined), EVERY_MS).unref()
  return {
    now: () => real.now() + ahead,
    at: (time, alarm) => real.at(time - ahead, alarm),
    stop: () => clearInterval(timer),
  }
}
