import type { ClockState } from '../../../core/contract/control/states.ts'
import { refuse } from '../../../core/contract/errors.ts'
import type { ClockFact } from '../../../core/contract/events.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { BenchClock } from '../../harness/clock.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Answer, Handlers } from '../handler.ts'
import { moveClock } from '../keep-clock.ts'

export type ClockReader = (workspace: string) => Answer<ClockState>

/** The clock with what is ahead on it. */
export const clockReader =
  ({ clocks, admin, real }: Pick<ControlParts, 'clocks' | 'admin' | 'real'>): ClockReader =>
  async (workspace) => {
    const next = await admin.messages.nextExpiry(workspace)
    if (!next.ok) return next
    const reading = clocks.of(workspace).read()
    const offset_ms = reading.frozen ? null : Math.round(reading.now - real.now())
    return ok({ ...reading, offset_ms, next_expiry: next.value })
  }

export const clockHandlers = (
  parts: ControlParts,
  readClock: ClockReader,
): Handlers<'clock.get' | 'clock.put' | 'clock.advance'> => {
  const { clocks, recorder } = parts

  const moved = async (
    workspace: string,
    move: (clock: BenchClock) => Promise<void>,
    factOf: (frozen: boolean) => Pick<ClockFact, 'change' | 'real'>,
  ): Answer<ClockState> => {
    // What the clock set off comes first, then the news that it has moved.
    const kept = await moveClock(parts, workspace, move)
    if (!kept.ok) return kept
    const reading = clocks.of(workspace).read()
    recorder.observe(workspace, { actor: { kind: 'control' }, kind: 'clock', ...factOf(reading.frozen), ...reading })
    return readClock(workspace)
  }

  const target = async (
    workspace: string,
    body: { readonly ms: number } | { readonly to: 'next-expiry' },
  ): Promise<Result<number, ReturnType<typeof refuse>>> => {
    if ('ms' in body) return ok(body.ms)
    const state = await readClock(workspace)
    if (!state.ok) return state
    const { next_expiry, now } = state.value
    return next_expiry === null
      ? err(refuse('wrong_state', { code: 'nothing_to_expire' }))
      : ok(Math.max(0, next_expiry - now))
  }

  return {
    'clock.get': ({ workspace }) => readClock(workspace),
    'clock.put': async ({ workspace, body }) => {
      const { real, ...setting } = body
      const others = Object.keys(setting)
      if (real === true && others.length > 0) {
        return err(refuse('conflicting_parameters', { code: 'real_goes_alone', params: { others } }))
      }
      return moved(
        workspace,
        (clock) => (real === true ? clock.followReal() : clock.set(setting)),
        (frozen) => ({
          change: body.now !== undefined ? 'set' : frozen ? 'frozen' : 'running',
          ...(real === true && { real }),
        }),
      )
    },
    'clock.advance': async ({ workspace, body }) => {
      const ms = await target(workspace, body)
      return ms.ok
        ? moved(
            workspace,
            (clock) => clock.advance(ms.value),
            () => ({ change: 'advanced' }),
          )
        : ms
    },
  }
}
