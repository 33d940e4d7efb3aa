import { availableParallelism } from 'node:os'
import { ok, type Result } from '../../protocol/result.ts'
import { createPlayer, type TraceWhen } from '../../scenario/runner/play-job.ts'
import type { Player } from '../../scenario/runner/run-jobs.ts'
import type { Environment } from '../command.ts'
import type { FoundBench } from '../find-bench.ts'
import { attachToBench, openOwnBench } from './open-bench.ts'
import { startWorkerBenches } from './worker-benches.ts'

export type Benches = { readonly play: Player; readonly close: () => Promise<void> }

type Wanted = {
  readonly parallel: number
  readonly jobs: number
  readonly port: number
  readonly clockStands: boolean
  readonly trace: TraceWhen
  readonly attached: FoundBench | undefined
}

/** What scenarios are played on: the bench that runs, one of the run's own, or one for each processor. */
export const openBenches = async (
  { parallel, jobs, port, clockStands, trace, attached }: Wanted,
  { version, root, terminal, stop }: Environment,
): Promise<Result<Benches, string>> => {
  const count = Math.min(parallel, jobs, availableParallelism())
  // A bench with a port of its own is one bench.
  if (attached === undefined && count > 1 && port === 0) {
    return startWorkerBenches({ count, version, root, clockStands, trace, stop, log: terminal.error })
  }
  const bench =
    attached === undefined
      ? await openOwnBench({ port, version, root, terminal, stop })
      : await attachToBench(attached, stop)
  if (!bench.ok) return bench
  const { client, close } = bench.value
  return ok({ play: createPlayer({ client, clockStands, trace, stop }), close })
}
