import { parentPort, workerData } from 'node:worker_threads'
import { createPlayer, type TraceWhen } from '../../testing/scenario/runner/play-job.ts'
import type { Job, PlayedAttempt } from '../../testing/scenario/runner/run-jobs.ts'
import type { StepReport } from '../../testing/scenario/scenario-setting.ts'
import { openOwnBench } from '../own-bench.ts'

export type WorkerStart = {
  readonly version: string
  readonly root: string
  readonly clockFrozen: boolean
  readonly trace: TraceWhen
  /** True if each step is reported when it ends, not only at the end of its scenario. */
  readonly reportsSteps: boolean
}

export type WorkerRequest = { readonly play: number; readonly job: Job } | { readonly stop: true }

export type WorkerResponse =
  | { readonly ready: true }
  | { readonly problem: string }
  | { readonly logged: string }
  | { readonly step: StepReport; readonly of: number }
  | { readonly played: PlayedAttempt; readonly of: number }
  | { readonly failed: string; readonly of: number }

const { version, root, clockFrozen, trace, reportsSteps } = workerData as WorkerStart
const stop = new AbortController()
const post = (message: WorkerResponse): void => parentPort?.postMessage(message)
const log = (text: string): void => post({ logged: text })

const bench = await openOwnBench({
  ...{ port: 0, version, root, stop: stop.signal },
  terminal: { out: log, error: log, color: false, width: 100 },
})
if (bench.ok) {
  const play = createPlayer({ client: bench.value.client, clockFrozen, trace, stop: stop.signal })
  parentPort?.on('message', async (message: WorkerRequest) => {
    if ('stop' in message) {
      stop.abort()
      await bench.value.close()
      parentPort?.close()
      return
    }
    const { play: of, job } = message
    try {
      post({ of, played: await play(job, reportsSteps ? (step) => post({ of, step }) : () => undefined) })
    } catch (reason) {
      post({ of, failed: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason) })
    }
  })
  post({ ready: true })
} else post({ problem: bench.error })
