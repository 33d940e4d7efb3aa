import type { Clock } from '../../core/protocol/clock.ts'
import type { KeptClock } from '../../core/protocol/kept-clock.ts'
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
