import { availableParallelism } from 'node:os'
import { ok, type Result } from '../../core/protocol/result.ts'
import { createPlayer, type TraceWhen } from '../../testing/scenario/runner/play-job.ts'
import type { Environment } from '../command.ts'
import type { FoundBench } from '../find-bench.ts'
import { playOnAttached } from './attached-bench.ts'
import type { Benches } from './benches.ts'
import { openOwnBench } from './open-bench.ts'
import { startWorkerBenches } from './worker-benches.ts'

type Wanted = {
  readonly parallel: number
  readonly jobs: number
  readonly port: number
  readonly clockStands: boolean
  readonly trace: TraceWhen
  readonly attached: FoundBench | undefined
  /** Reports each step to the caller when it is over. */
  readonly tellsSteps: boolean
}

/** Opens the benches for the scenarios: the one that runs, one of the run's own, or one for each processor. */
export const openBenches = async (
  { parallel, jobs, port, clockStands, trace, attached, tellsSteps }: Wanted,
  { version, root, terminal, stop }: Environment,
): Promise<Result<Benches, string>> => {
  const count = Math.min(parallel, jobs, availableParallelism())
  const playing = { clockStands, trace, stop }
  if (attached !== undefined) return playOnAttached(attached, { ...playing, count: Math.min(parallel, jobs) })
  // A bench with a chosen port is one bench.
  if (count > 1 && port === 0) {
    return startWorkerBenches({ ...playing, count, version, root, tellsSteps, log: terminal.error })
  }
  const bench = await openOwnBench({ port, version, root, terminal, stop })
  if (!bench.ok) return bench
  const { client, close } = bench.value
  return ok({ play: createPlayer({ ...playing, client }), close })
}
