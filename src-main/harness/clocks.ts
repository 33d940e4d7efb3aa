import type { Clock } from '../protocol/clock.ts'
import { type BenchClock, type ClockSetting, createBenchClock, realClock } from './clock.ts'

/** The workspaces' clocks, each made when it is first asked for. */
export type BenchClocks = {
  of(workspace: string): BenchClock
  forget(workspace: string): void
  stop(): void
}

export type BenchClocksOptions = {
  readonly real?: Clock
  readonly start?: ClockSetting
  readonly settle: (workspace: string) => Promise<void>
}

export const createClocks = ({ real = realClock, start = {}, settle }: BenchClocksOptions): BenchClocks => {
  const clocks = new Map<string, BenchClock>()
  return {
    of: (workspace) => {
      const known = clocks.get(workspace)
      if (known !== undefined) return known
      const clock = createBenchClock({ real, start, settle: () => settle(workspace) })
      clocks.set(workspace, clock)
      return clock
    },
    forget: (workspace) => {
      clocks.get(workspace)?.stop()
      clocks.delete(workspace)
    },
    stop: () => {
      for (const clock of clocks.values()) clock.stop()
    },
  }
}
