import type { BenchClocks } from '../harness/clocks.ts'
import type { Refusal } from '../protocol/errors.ts'
import type { Result } from '../protocol/result.ts'
import type { Console } from '../service/console/console.ts'

/** After every move of a clock and before it is told as done: the service keeps what the harness runs. */
export const keepClock = (
  { console, clocks }: { readonly console: Console; readonly clocks: BenchClocks },
  workspace: string,
): Promise<Result<null, Refusal>> => console.clock.keep(workspace, clocks.of(workspace).kept())
