import type { Chapter } from './chapters.ts'

/** One telling of a chapter: what stands on its stage, and from which event on it counts. */
export type Run = {
  readonly rp: string
  readonly phone: string
  /** The last event before it. */
  readonly after: number
  /** Real time, in milliseconds since 1970. */
  readonly startedAt: number
}

/** Every telling of a chapter, the newest last. */
export type Runs = { readonly [C in Chapter]?: readonly Run[] }

type Kept = {
  /** The workspace that this tab opened to present in. */
  readonly stage?: string
  readonly runs?: Runs
}

/** Of this tab: a reload goes on where the story was. */
const STORED = 'handset.presenter'

const readKept = (): Kept => {
  try {
    return (JSON.parse(sessionStorage.getItem(STORED) ?? '{}') ?? {}) as Kept
  } catch {
    return {}
  }
}

const write = (kept: Kept): void => sessionStorage.setItem(STORED, JSON.stringify(kept))

export const readStage = (): string | undefined => readKept().stage

/** A new stage has no runs. */
export const keepStage = (stage: string): void => {
  if (stage !== readStage()) write({ stage })
}

export const readRuns = (): Runs => readKept().runs ?? {}

export const keepRun = (chapter: Chapter, run: Run): void => {
  const { runs = {}, ...kept } = readKept()
  write({ ...kept, runs: { ...runs, [chapter]: [...(runs[chapter] ?? []), run] } })
}
