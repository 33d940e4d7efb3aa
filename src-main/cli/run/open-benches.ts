import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { createPlayer } from '../../testing/scenario/runner/play-job.ts'
import { CUT_OFF_ATTEMPT, type PlayedAttempt, type Player } from '../../testing/scenario/runner/run-jobs.ts'
import type { StepReport } from '../../testing/scenario/scenario-setting.ts'
import type { Environment } from '../command.ts'
import { needed, notDone } from '../command-end.ts'
import type { FoundBench } from '../find-bench.ts'
import { openOwnBench } from '../own-bench.ts'
import { type Benches, playOnAttachedBench } from './attached-bench.ts'
import type { WorkerRequest, WorkerResponse, WorkerStart } from './run-worker.ts'

type Wanted = Omit<WorkerStart, 'version' | 'root'> & {
  readonly parallel: number
  readonly jobs: number
  readonly port: number
  readonly attached: FoundBench | undefined
}

export const openBenches = async (
  { parallel, jobs, port, clockFrozen, trace, attached, reportsSteps }: Wanted,
  environment: Environment,
): Promise<Benches> => {
  const { version, root, terminal, stop } = environment
  const count = Math.min(parallel, jobs, availableParallelism())
  const playing = { clockFrozen, trace, stop }
  if (attached !== undefined) return playOnAttachedBench(attached, { ...playing, count: Math.min(parallel, jobs) })
  // Only one bench can listen on a chosen port.
  if (count > 1 && port === 0)
    return startWorkerBenches(count, { version, root, clockFrozen, trace, reportsSteps }, environment)
  const { client, close } = needed(await openOwnBench({ port, version, root, terminal, stop }), notDone)
  return { play: createPlayer({ ...playing, client }), close }
}

/** Starts benches in separate threads, since one event loop uses only one processor. */
const startWorkerBenches = async (
  count: number,
  start: WorkerStart,
  { terminal, stop }: Environment,
): Promise<Benches> => {
  const started = await Promise.all(Array.from({ length: count }, () => startWorker(start, terminal.error)))
  const benches = started.flatMap((one) => (one.ok ? [one.value] : []))
  const close = async (): Promise<void> => {
    await Promise.all(benches.map((bench) => bench.close()))
  }
  const refused = started.find((one) => !one.ok)
  if (refused?.ok === false) {
    await close()
    notDone(refused.error)
  }
  stop.addEventListener('abort', () => void close(), { once: true })
  const leastBusy = () => benches.reduce((least, one) => (one.busy() < least.busy() ? one : least))
  return { play: (job, onStep) => leastBusy().play(job, onStep), close }
}

type Asked = PromiseWithResolvers<PlayedAttempt> & { readonly onStep: (step: StepReport) => void }

type WorkerBench = Benches & { readonly busy: () => number }

const startWorker = (start: WorkerStart, log: (text: string) => void): Promise<Result<WorkerBench, string>> =>
  new Promise((resolve) => {
    const worker = new Worker(fileOfWorker(start.root), { workerData: start })
    const asked = new Map<number, Asked>()
    let last = 0
    const post = (message: WorkerRequest): void => worker.postMessage(message)
    const ended = new Promise<void>((over) => worker.once('exit', () => over()))
    const giveUp = (reason: Error): void => {
      for (const { reject } of asked.values()) reject(reason)
      asked.clear()
      resolve(err(reason.message))
    }
    const receive: (message: WorkerResponse) => void = (message) => {
      if ('ready' in message) return resolve(ok({ play, close, busy: () => asked.size }))
      if ('problem' in message) return giveUp(new Error(message.problem))
      if ('logged' in message) return log(message.logged)
      const one = asked.get(message.of)
      if ('step' in message) return one?.onStep(message.step)
      asked.delete(message.of)
      if ('played' in message) one?.resolve(message.played)
      else one?.reject(new Error(message.failed))
    }
    worker.on('message', receive)
    worker.once('error', giveUp)
    let closing = false
    worker.once('exit', () => {
      if (closing) for (const { resolve: over } of asked.values()) over(CUT_OFF_ATTEMPT)
      else giveUp(new Error('the thread of a bench ended by itself.'))
    })
    const play: Player = (job, onStep) => {
      const work = Promise.withResolvers<PlayedAttempt>()
      const of = ++last
      asked.set(of, { ...work, onStep })
      post({ play: of, job })
      return work.promise
    }
    const close = async (): Promise<void> => {
      closing = true
      post({ stop: true })
      await ended
    }
  })

const fileOfWorker = (root: string): string =>
  import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, 'run-worker.ts')
    : join(root, 'out/main/run-worker.js')
