import { ok, type Result } from '../../core/protocol/result.ts'
import { type ControlClient, createControlClient } from '../../sdk/client.ts'
import { type BenchKeeper, startOwnBench } from '../own-bench.ts'
import { directFetch } from './direct-fetch.ts'

export type OpenBench = { readonly client: ControlClient; readonly close: () => Promise<void> }

export type OwnBench = BenchKeeper & {
  readonly port: number
  /** What a step waits for ends with it. */
  readonly stop: AbortSignal
}

/** A bench of the run's own, in memory. */
export const openOwnBench = async ({ port, stop, ...keeper }: OwnBench): Promise<Result<OpenBench, string>> => {
  const bench = await startOwnBench(keeper, { port, seedData: { rps: [], phones: [] } })
  if (!bench.ok) return bench
  const { controlUrl, token, close } = bench.value
  return ok({ client: createControlClient({ controlUrl, token, fetch: directFetch(bench.value, stop) }), close })
}
