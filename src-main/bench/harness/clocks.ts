import type { KeptClock } from '../../core/protocol/kept-clock.ts'
import type { Clock, Millis } from '../../core/protocol/time.ts'
import { type BenchClock, type ClockSetting, createBenchClock, realClock } from './clock.ts'

/** The workspaces' clocks, each made when it is first asked for. */
export type BenchClocks = {
  of(workspace: string): BenchClock
  /** A clock for a workspace whose id may be taken still. */
  draft(workspace: string, start?: ClockSetting): BenchClock
  /** It is the workspace's from its first event on. */
  begin(workspace: string, clock: BenchClock): void
  forget(workspace: string): void
  stop(): void
}

export type BenchClocksOptions = {
  readonly real?: Clock
  /** Of a workspace that is new. */
  readonly start?: ClockSetting
  /** The workspaces that were there before; undefined where the clock follows real time. */
  readonly kept?: ReadonlyMap<string, KeptClock | undefined>
  readonly settle: (workspace: string) => Promise<void>
}

export const createClocks = ({
  real = realClock,
  start = {},
  kept = new Map(),
  settle,
}: BenchClocksOptions): BenchClocks => {
  const clocks = new Map<string, BenchClock>()
  const before = new Map(kept)
  const draft = (workspace: string, begins: ClockSetting | { readonly kept: KeptClock } = start): BenchClock =>
    createBenchClock({ real, start: begins, settle: () => settle(workspace) })
  const begin = (workspace: string, clock: BenchClock): BenchClock => {
    clocks.get(workspace)?.stop()
    clocks.set(workspace, clock)
    return clock
  }
  const startOf = (workspace: string): ClockSetting | { readonly kept: KeptClock } => {
    if (!before.has(workspace)) return start
    const clock = before.get(workspace)
    return clock === undefined ? {} : { kept: clock }
  }
  return {
    of: (workspace) => clocks.get(workspace) ?? begin(workspace, draft(workspace, startOf(workspace))),
    draft,
    begin,
    forget: (workspace) => {
      clocks.get(workspace)?.stop()
      clocks.delete(workspace)
      before.delete(workspace)
    },
    stop: () => {
      for (const clock of clocks.values()) clock.stop()
    },
  }
}

/** Real time as another clock has it: of several machines, one leads. */
type LedClock = Clock & { stop(): void }

const EVERY_MS = 10_000
/** Within this the clocks of two machines agree; less is the delay of the answer. */
const AGREE_MS = 250

/** `ask` returns the leader's time. After a failure it is called again; until then the last difference is used. */
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
