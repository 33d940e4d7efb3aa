import type { SecondOpinion } from '../../contract/judge/verdict.ts'
import type { AuthenticationCase, RegistrationCase } from '../../explain/ceremony-case.ts'
import type { Verdict } from '../../explain/verdict.ts'
import type { Clock } from '../../protocol/clock.ts'
import { agrees, secondOpinion } from './second-opinion.ts'

/** A ceremony as it was judged. What it reads, it reads from the time of the judgement. */
export type Judged = {
  readonly ceremony: RegistrationCase | AuthenticationCase
  readonly verdict: Verdict<unknown>
}

export type OpinionListener = (messageId: string, opinion: SecondOpinion) => void

/** Second opinions outside of the requests: formed while the process is idle, or as soon as somebody looks. */
export type SecondOpinions = {
  later(workspace: string, messageId: string, judged: Judged): void
  /** Formed now if it was not yet; undefined when the ceremony was forgotten, or never was one. */
  of(workspace: string, messageId: string): Promise<SecondOpinion | undefined>
  listen(workspace: string, listener: OpinionListener): () => void
  forget(workspace: string): void
}

/** Of all workspaces together. Under load the oldest go without. */
const MOST_WAITING = 512
const MOST_KEPT = 10_000
/** When nothing was judged for so long, and the alarm rings on time, the event loop has nothing else to do. */
const PAUSE_MS = 20
const LATE_MS = 5
/** At a time, while nobody asks. */
const SLICE = 8

type Entry = { readonly workspace: string; readonly messageId: string }
type Waiting = Entry & { readonly judged: Judged }
type Formed = Entry & { readonly opinion: Promise<SecondOpinion> }

export const formOpinion = async ({ ceremony, verdict }: Judged, wall: Clock): Promise<SecondOpinion> => {
  const opinion = await secondOpinion(ceremony, { wall: wall.now() })
  if (!opinion.heard) return { heard: false, reason: opinion.why }
  return { ...opinion, ...(agrees(verdict, opinion) ? {} : { disagrees: true }) }
}

export const createSecondOpinions = (wall: Clock): SecondOpinions => {
  const waiting = new Map<string, Waiting>()
  const formed = new Map<string, Formed>()
  const listeners = new Map<string, Set<OpinionListener>>()
  let alarmSet = false
  let judgedMeanwhile = false

  const form = async (key: string, { workspace, messageId, judged }: Waiting): Promise<SecondOpinion> => {
    waiting.delete(key)
    const opinion = formOpinion(judged, wall)
    put(formed, key, { workspace, messageId, opinion }, MOST_KEPT)
    const told = await opinion
    // Its workspace may have been closed meanwhile, and another one of that id opened.
    if (formed.get(key)?.opinion === opinion) for (const hear of listeners.get(workspace) ?? []) hear(messageId, told)
    return told
  }

  const formSome = async (): Promise<void> => {
    for (const [key, entry] of [...waiting].slice(0, SLICE)) if (waiting.has(key)) await form(key, entry)
  }

  const setAlarm = (): void => {
    if (alarmSet || waiting.size === 0) return
    alarmSet = true
    judgedMeanwhile = false
    const due = wall.now() + PAUSE_MS
    wall.at(due, () => {
      const isIdle = !judgedMeanwhile && wall.now() - due <= LATE_MS
      void (isIdle ? formSome() : Promise.resolve()).then(() => {
        alarmSet = false
        setAlarm()
      })
    })
  }

  return {
    later: (workspace, messageId, judged) => {
      const key = keyOf(workspace, messageId)
      formed.delete(key)
      put(waiting, key, { workspace, messageId, judged }, MOST_WAITING)
      judgedMeanwhile = true
      setAlarm()
    },
    of: async (workspace, messageId) => {
      const key = keyOf(workspace, messageId)
      const entry = waiting.get(key)
      return entry === undefined ? formed.get(key)?.opinion : form(key, entry)
    },
    listen: (workspace, listener) => {
      const known = listeners.get(workspace) ?? new Set()
      listeners.set(workspace, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && listeners.get(workspace) === known) listeners.delete(workspace)
      }
    },
    forget: (workspace) => {
      for (const entries of [waiting, formed] as const) {
        for (const [key, entry] of entries) if (entry.workspace === workspace) entries.delete(key)
      }
    },
  }
}

const keyOf = (workspace: string, messageId: string): string => `${workspace} ${messageId}`

/** The oldest goes when there are too many. */
const put = <T>(entries: Map<string, T>, key: string, entry: T, most: number): void => {
  entries.set(key, entry)
  if (entries.size <= most) return
  for (const oldest of entries.keys()) {
    entries.delete(oldest)
    return
  }
}
