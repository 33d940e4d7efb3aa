import type { AttemptReport } from '../../core/contract/run-report.ts'
import type { StepResult } from '../../core/contract/scenario/outcomes.ts'
import type { StepProblem } from '../../core/contract/scenario/problems.ts'
import type { ControlClient } from '../../sdk/client.ts'

export type ScenarioPart = StepReport['part']

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

export type StepReport = Omit<AttemptReport['steps'][number], 'told' | 'problem'> & {
  readonly told?: StepResult
  readonly problem?: StepProblem
}
