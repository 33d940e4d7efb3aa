import type { Bench } from '../../bench/assembly/bench.ts'
import { ok } from '../../core/protocol/result.ts'
import { type ControlAnswer, createControlClient } from '../../sdk/client.ts'
import type { Player } from '../../testing/scenario/runner/run-jobs.ts'
import { type BenchKeeper, startOwnBench } from '../own-bench.ts'

type OwnBench = BenchKeeper & { readonly port: number; readonly stop: AbortSignal }

export const openOwnBench = async ({ port, stop, ...keeper }: OwnBench) => {
  const bench = await startOwnBench(keeper, { port, seedData: { rps: [], phones: [] } })
  if (!bench.ok) return bench
  const { controlUrl, token, close } = bench.value
  return ok({ client: createControlClient({ controlUrl, token, fetch: directFetch(bench.value, stop) }), close })
}

/** `fetch` for a bench in this process. Streams need a socket and are not supported. */
const directFetch =
  ({ callControl }: Pick<Bench, 'callControl'>, stop: AbortSignal) =>
  async (url: string, { method = 'GET', headers = {}, body, signal }: RequestInit): Promise<ControlAnswer> => {
    const gone = signal ? AbortSignal.any([signal, stop]) : stop
    gone.throwIfAborted()
    const given = headers as Readonly<Record<string, string>>
    const text = typeof body === 'string' ? body : undefined
    const {
      status,
      headers: answered,
      body: answer,
    } = await unlessAborted(callControl({ url, method, headers: given, body: text, gone }), gone)
    return {
      status,
      ok: status < 300,
      headers: { get: (name) => answered.find(([known]) => known === name)?.[1] ?? null },
      body: null,
      text: async () => (typeof answer === 'string' ? answer : new TextDecoder().decode(answer)),
    }
  }

const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

export type Benches = {
  readonly play: Player
  readonly close: () => Promise<void>
  /** Aborted when the bench disappears, with a sentence as the reason; absent if it cannot disappear. */
  readonly gone?: AbortSignal
}
