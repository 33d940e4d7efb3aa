import { type ControlClient, ControlError, createControlClient } from '../sdk/client.ts'
import type { Environment } from './command.ts'
import { fail } from './command-end.ts'
import { ANSWER_TIMEOUT_MS, benchProblem, type FoundBench, findBenchOrDefault, isUnreachable } from './find-bench.ts'
import type { findBenchOptions, ParsedOptions } from './options.ts'
import type { NameOption } from './read-options.ts'

export type BenchConnection = FoundBench & {
  /** The command ends where the bench refuses or does not answer. */
  ask<T>(call: (client: ControlClient, signal: AbortSignal) => Promise<T>, patienceMs?: number): Promise<T>
}

/** Finds a running bench; without one the command ends. */
export const callBench = (
  options: ParsedOptions<typeof findBenchOptions>,
  environment: Environment,
  named: NameOption,
): BenchConnection => {
  const found = findBenchOrDefault(options, environment, named)
  const { controlUrl } = found
  const client = createControlClient(found)
  return {
    ...found,
    ask: async (call, patienceMs = ANSWER_TIMEOUT_MS) => {
      const { stop } = environment
      const late = AbortSignal.timeout(patienceMs)
      try {
        return await call(client, AbortSignal.any([stop, late]))
      } catch (reason) {
        if (!(reason instanceof ControlError) && !isUnreachable(reason)) throw reason
        return fail(benchProblem(reason, { controlUrl, stop, late }))
      }
    },
  }
}
