import { parseJsonOrNothing } from '../../src-main/core/protocol/json.ts'
import { type Chapter, SCRIPTS } from './chapters.ts'

export type Run = {
  readonly rp: string
  readonly phone: string
  /** The seq of the last event before the run. */
  readonly after: number
  /** Real time, in milliseconds since 1970. */
  readonly startedAt: number
}

/** Newest last. */
export type Runs = { readonly [C in Chapter]?: readonly Run[] }

export type StoryPosition = { readonly chapter: Chapter; readonly step: number }

export type StoredPresentation = {
  readonly stage?: string
  readonly runs?: Runs
  readonly place?: StoryPosition
  /** True if the very last sentence or the end card was shown. */
  readonly ended?: boolean
}

/** In the tab's storage, so that a reload resumes the story at the same place. */
const STORED = 'handset.presenter'

const readKept = (): StoredPresentation =>
  (parseJsonOrNothing(sessionStorage.getItem(STORED) ?? '{}') ?? {}) as StoredPresentation

const write = (kept: StoredPresentation): void => sessionStorage.setItem(STORED, JSON.stringify(kept))

export const readStageId = (): string | undefined => readKept().stage

/** A new stage has no runs. */
export const storeStageId = (stage: string): void => {
  if (stage !== readStageId()) write({ stage })
}

export const readRuns = (): Runs => readKept().runs ?? {}

/** Undefined if the presentation has not begun or has ended. */
export const resumePlace = ({ place, ended }: StoredPresentation): StoryPosition | undefined =>
  ended === true || (place?.chapter === 'key' && place.step === 0) ? undefined : place

export const readResumePlace = (): StoryPosition | undefined => resumePlace(readKept())

export const withPlace = (kept: StoredPresentation, place: StoryPosition | 'end'): StoredPresentation => {
  if (place === 'end') return { ...kept, ended: true }
  const last = place.chapter === 'lost' && place.step === SCRIPTS.lost.beats.length - 1
  return { ...kept, place, ...(last ? { ended: true } : {}) }
}

export const storePlace = (place: StoryPosition | 'end'): void => write(withPlace(readKept(), place))

export const storeRun = (chapter: Chapter, run: Run): void => {
  const { runs = {}, ...kept } = readKept()
  write({ ...kept, runs: { ...runs, [chapter]: [...(runs[chapter] ?? []), run] } })
}
