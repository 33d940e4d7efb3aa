import type { StepResult } from '../../core/contract/scenario/outcomes.ts'
import type { StepProblem } from '../../core/contract/scenario/problems.ts'
import type { ControlClient } from '../../sdk/client.ts'

export type ScenarioPart = 'setup' | 'steps' | 'teardown'

export type ScenarioSetting = {
  readonly client: ControlClient
  readonly seed?: number
  /** ID of the scenario's workspace, on which random values depend too; generated if absent. */
  readonly workspace?: string
  /** Time of a seeded run's frozen clock. */
  readonly start: number
  /** Lets the clock run, even in a seeded run. */
  readonly clockRuns?: boolean
  /** Real time, for limits. */
  readonly micros: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Ends the run; the client and the pauses give up by themselves. */
  readonly stop: AbortSignal
  readonly onStep: (report: StepReport) => void
  /** Called when the last step is over, while the workspace is still open. */
  readonly beforeClose?: (client: ControlClient, good: boolean) => Promise<void>
}

export type StepReport = {
  /** From 1, counted through all parts; 0 is the preparation before the first step. */
  readonly number: number
  readonly part: ScenarioPart
  readonly line: number
  /** The included file that contains the line. */
  readonly file?: string
  readonly word: string
  readonly title: string
  readonly ok: boolean
  /** The sentence of `told`. */
  readonly said: string
  /** The result of a step that succeeded. */
  readonly told?: StepResult
  /** The cause of the failure as a code with values; `expected` and `received` are its sentences. */
  readonly problem?: StepProblem
  readonly expected?: string
  readonly received?: string
  /** For a failed step: failed, refused and waiting events of its workspace. */
  readonly why?: readonly string[]
  /** Indexes of the entries of `why` that are triggered faults. */
  readonly faults?: readonly number[]
  readonly events: readonly string[]
  /** The numbers of the events of this step: those after `from_seq` up to `to_seq`. */
  readonly from_seq: number
  readonly to_seq: number
  readonly took_ms: number
}
