import type { Player } from '../../testing/scenario/runner/run-jobs.ts'

export type Benches = {
  readonly play: Player
  readonly close: () => Promise<void>
  /** Aborted, with the reason as a sentence, when the bench went away; absent where it cannot. */
  readonly gone?: AbortSignal
}
