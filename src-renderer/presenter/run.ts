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

export type Runs = { readonly [C in Chapter]?: Run }

/** Of this tab: a reload goes on where the chapter was. */
const STORED = 'handset.presenter'

export const readRuns = (): Runs => {
  try {
    return (JSON.parse(sessionStorage.getItem(STORED) ?? '{}') ?? {}) as Runs
  } catch {
    return {}
  }
}

export const keepRun = (chapter: Chapter, run: Run): void => {
  sessionStorage.setItem(STORED, JSON.stringify({ ...readRuns(), [chapter]: run }))
}

export const forgetRuns = (): void => sessionStorage.removeItem(STORED)
