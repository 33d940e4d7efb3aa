import { DEMO_RP } from '../../bench/control/seed-data.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { parseAccessKey } from '../access-key.ts'
import type { Environment } from '../command.ts'
import { findBench, type NoBench } from '../find-bench.ts'
import type { suiteOptions } from '../options.ts'
import { startOwnBench } from '../own-bench.ts'
import type { ReadOptions } from '../read-options.ts'

export type SuiteBench = { readonly controlUrl: string; readonly token: string; readonly close: () => Promise<void> }

export const openSuiteBench = async (
  { options, named }: ReadOptions<typeof suiteOptions>,
  environment: Environment,
): Promise<Result<SuiteBench, NoBench>> => {
  if (options.attach === true) {
    const found = findBench(options, environment, named)
    return found.ok ? ok({ ...found.value, close: async () => undefined }) : found
  }
  const misused = (problem: string): Result<never, NoBench> => err({ problem, misused: true })
  const key =
    options['access-key'] === undefined ? ok(undefined) : parseAccessKey(options['access-key'], named('access-key'))
  if (!key.ok) return misused(key.error)
  const rps = [{ ...DEMO_RP, ...(key.value === undefined ? {} : { keys: [key.value] }) }]
  const bench = await startOwnBench(environment, { port: options.port, seedData: { rps, phones: [] } })
  return bench.ok ? bench : err({ problem: bench.error, misused: false })
}
