import { setTimeout } from 'node:timers/promises'
import { monotonicMicros, realClock } from '../../../bench/harness/clock.ts'
import { withoutUndefined } from '../../../core/protocol/json.ts'
import type { ControlClient } from '../../../sdk/client.ts'
import { saveTrace } from '../../../sdk/save-trace.ts'
import { runScenario } from '../run-scenario.ts'
import type { StepReport } from '../scenario-setting.ts'
import type { Player } from './run-jobs.ts'
import { workspaceId } from './scenario-id.ts'

/** Time of a frozen clock. */
const START = Date.UTC(2030, 0, 1, 12)

export type TraceWhen = 'on' | 'failure' | 'off'

export type PlayerSettings = {
  /** Client of any workspace of the bench; its waits end with `stop`. */
  readonly client: ControlClient
  readonly clockFrozen: boolean
  readonly trace: TraceWhen
  readonly stop: AbortSignal
}

export const createPlayer =
  ({ client, clockFrozen, trace, stop }: PlayerSettings): Player =>
  async ({ scenario, seed }, onStep) => {
    const began = realClock.now()
    const workspace = workspaceId(seed)
    const steps: StepReport[] = []
    const saved: Uint8Array[] = []
    const { ok, took_ms, stopped } = await runScenario(scenario, {
      client,
      seed,
      workspace,
      clockRuns: !clockFrozen,
      start: START,
      micros: monotonicMicros,
      pause: (ms) => setTimeout(ms, undefined, { signal: stop }),
      stop,
      beforeClose: async (own, good) => {
        if (trace === 'off' || (trace === 'failure' && good)) return
        saved.push(await saveTrace(own, { title: scenario.name, workspace, saved: realClock.now() }))
      },
      onStep: (step) => {
        steps.push(step)
        onStep(step)
      },
    })
    return { ok, workspace, began, took_ms, steps, ...withoutUndefined({ trace: saved[0], stopped }) }
  }
