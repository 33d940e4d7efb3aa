import { err, ok, type Result } from '../core/protocol/result.ts'
import { type ControlClient, ControlError, createControlClient } from '../sdk/client.ts'
import { type Environment, type ExitCode, fail, misuse } from './command.ts'
import { ANSWER_TIMEOUT_MS, benchProblem, findBenchOrDefault, isUnreachable } from './find-bench.ts'
import type { findBenchOptions, ParsedOptions } from './options.ts'
import type { NameOption } from './read-options.ts'

export type BenchConnection = {
  readonly client: ControlClient
  readonly workspace: string
  try<T>(
    call: (client: ControlClient, signal: AbortSignal) => Promise<T>,
    patienceMs?: number,
  ): Promise<Result<T, string>>
}

/** Finds a running bench; without one, prints why and returns an exit code. */
export const callBench = (
  command: string,
  options: ParsedOptions<typeof findBenchOptions>,
  { environment, named }: { readonly environment: Environment; readonly named: NameOption },
): BenchConnection | ExitCode => {
  const found = findBenchOrDefault(options, environment, named)
  if (!found.ok) return (found.error.misused ? misuse : fail)(environment, command, found.error.problem)
  const { controlUrl, workspace } = found.value
  const client = createControlClient(found.value)
  return {
    client,
    workspace,
    try: async (call, patienceMs = ANSWER_TIMEOUT_MS) => {
      const { stop } = environment
      const late = AbortSignal.timeout(patienceMs)
      try {
        return ok(await call(client, AbortSignal.any([stop, late])))
      } catch (reason) {
        if (!(reason instanceof ControlError) && !isUnreachable(reason)) throw reason
        return err(benchProblem(reason, { controlUrl, stop, late }))
      }
    },
  }
}
