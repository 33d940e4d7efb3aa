import type { Refusal } from '../../core/contract/errors.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { Admin } from '../../service/admin/admin.ts'
import type { BenchClock } from '../harness/clock.ts'
import type { BenchClocks } from '../harness/clocks.ts'

/** After every move of a clock, before the answer: the service stores the clock that the harness runs. */
export const keepClock = (
  { admin, clocks }: { readonly admin: Admin; readonly clocks: BenchClocks },
  workspace: string,
): Promise<Result<null, Refusal>> => admin.clock.keep(workspace, clocks.of(workspace).kept())

/** Moves a clock and stores it; if that fails it continues as before, since a refused call has no effect. */
export const moveClock = async (
  parts: { readonly admin: Admin; readonly clocks: BenchClocks },
  workspace: string,
  move: (clock: BenchClock) => Promise<void>,
): Promise<Result<null, Refusal>> => {
  const clock = parts.clocks.of(workspace)
  const before = clock.kept()
  await parts.admin.clock.prepare(workspace)
  try {
    await move(clock)
    await parts.admin.settled()
    return await keepClock(parts, workspace)
  } catch (reason) {
    await clock.heldAt(clock.now(), async () => ({ next: before, value: null }))
    throw reason
  }
}
