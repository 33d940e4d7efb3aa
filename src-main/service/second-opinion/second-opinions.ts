import { performance } from 'node:perf_hooks'
import type { SecondOpinion } from '../../core/contract/judge/verdict.ts'
import type { Clock } from '../../core/protocol/time.ts'

/** For all workspaces together. Beyond this, the oldest ceremonies get no opinion. */
const MAX_WAITING = 512
const MAX_KEPT = 10_000
/** The process is idle if it judged nothing for this long, the alarm rings on time, and the event loop mostly slept. */
const PAUSE_MS = 20
const LATE_MS = 5
const MOSTLY = 0.5
/** Opinions per slice, while no reader waits. */
const SLICE = 8
/** Longest time without a slice if another process reports the opinions: its readers cannot always ask for them. */
const LONGEST_BUSY_MS = 1_000

type OpinionListener = (messageId: string, opinion: SecondOpinion) => void

type Waiting = { readonly workspace: string; readonly messageId: string; readonly form: FormOpinion }

/** Called while the process is idle, or when a reader waits. */
type FormOpinion = () => Promise<SecondOpinion>

export type OpinionRelay = {
  /** Called for each opinion formed here, for the process that reports. */
  readonly formed?: (workspace: string, messageId: string, opinion: SecondOpinion) => void
  /** Asks the process that judged to form it now. */
  readonly ask?: (workspace: string, messageId: string) => void
}

/** The share of the time since the last call in which the event loop was busy. */
export type Utilization = () => number

const createUtilization = (): Utilization => {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

export type SecondOpinions = ReturnType<typeof createSecondOpinions>

/** Second opinions outside the requests: formed while the process is idle, or as soon as one is read. */
export const createSecondOpinions = (
  wall: Clock,
  relay: OpinionRelay = {},
  utilization: Utilization = createUtilization(),
) => {
  const elsewhere = createRemoteOpinions(wall)
  const waiting = new Map<string, Waiting>()
  const formed = new Map<string, Promise<SecondOpinion>>()
  const listeners = new Map<string, Set<OpinionListener>>()
  let alarmSet = false
  let judgedMeanwhile = false
  let lastFormed = Number.NEGATIVE_INFINITY

  const formNow = async (key: string, { workspace, messageId, form }: Waiting): Promise<SecondOpinion> => {
    waiting.delete(key)
    const opinion = form()
    put(formed, key, opinion, MAX_KEPT)
    const result = await opinion
    // The workspace may have been closed since, and another one opened with its id.
    if (formed.get(key) === opinion) {
      notify(workspace, messageId, result)
      relay.formed?.(workspace, messageId, result)
    }
    return result
  }

  const notify = (workspace: string, messageId: string, opinion: SecondOpinion): void => {
    for (const listener of listeners.get(workspace) ?? []) listener(messageId, opinion)
  }

  const formSome = async (): Promise<void> => {
    lastFormed = wall.now()
    for (const [key, entry] of [...waiting].slice(0, SLICE)) if (waiting.has(key)) await formNow(key, entry)
  }

  const setAlarm = (): void => {
    if (alarmSet || waiting.size === 0) return
    alarmSet = true
    judgedMeanwhile = false
    utilization()
    const due = wall.now() + PAUSE_MS
    wall.at(due, () => {
      const isIdle = !judgedMeanwhile && wall.now() - due <= LATE_MS && utilization() < MOSTLY
      const isWaitedFor = relay.formed !== undefined && wall.now() - lastFormed >= LONGEST_BUSY_MS
      void (isIdle || isWaitedFor ? formSome() : Promise.resolve()).then(() => {
        alarmSet = false
        setAlarm()
      })
    })
  }

  return {
    later: (workspace: string, messageId: string, form: FormOpinion): void => {
      const key = keyOf(workspace, messageId)
      formed.delete(key)
      put(waiting, key, { workspace, messageId, form }, MAX_WAITING)
      judgedMeanwhile = true
      setAlarm()
    },
    /** Forms a missing opinion now; undefined if the ceremony was forgotten or never existed. */
    of: async (workspace: string, messageId: string): Promise<SecondOpinion | undefined> => {
      const key = keyOf(workspace, messageId)
      const entry = waiting.get(key)
      if (entry !== undefined) return formNow(key, entry)
      return formed.get(key) ?? elsewhere.of(key)
    },
    listen: (workspace: string, listener: OpinionListener): (() => void) => {
      const known = listeners.get(workspace) ?? new Set()
      listeners.set(workspace, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && listeners.get(workspace) === known) listeners.delete(workspace)
      }
    },
    /** Called when another process judged a ceremony: its opinion will come. */
    expect: (workspace: string, messageId: string): void =>
      elsewhere.expect(keyOf(workspace, messageId), () => relay.ask?.(workspace, messageId)),
    receive: (workspace: string, messageId: string, opinion: SecondOpinion): void => {
      elsewhere.take(keyOf(workspace, messageId), opinion)
      notify(workspace, messageId, opinion)
    },
    forget: (workspace: string): void => {
      const isOf = (key: string): boolean => key.startsWith(keyOf(workspace, ''))
      elsewhere.forget(isOf)
      for (const entries of [waiting, formed]) for (const key of entries.keys()) if (isOf(key)) entries.delete(key)
    },
  }
}

const keyOf = (workspace: string, messageId: string): string => `${workspace} ${messageId}`

/** Evicts the oldest entry beyond `most`. */
const put = <T>(entries: Map<string, T>, key: string, entry: T, most: number): void => {
  entries.set(key, entry)
  const [oldest] = entries.keys()
  if (entries.size > most && oldest !== undefined) entries.delete(oldest)
}

/** A process that was killed or is busy forms none: callers wait no longer than this after its verdict. */
const PATIENCE_MS = 10_000

type Expected = {
  readonly until: number
  readonly ask: () => void
  readonly coming: PromiseWithResolvers<SecondOpinion | undefined>
  opinion?: SecondOpinion
}

/** Opinions that other processes form. */
const createRemoteOpinions = (wall: Clock) => {
  const entries = new Map<string, Expected>()

  const open = (key: string, ask: () => void): Expected => {
    const known = entries.get(key)
    if (known !== undefined) return known
    const made: Expected = { until: wall.now() + PATIENCE_MS, ask, coming: Promise.withResolvers() }
    entries.set(key, made)
    const [oldest] = entries.keys()
    if (entries.size > MAX_KEPT && oldest !== undefined) remove(oldest)
    return made
  }
  const remove = (key: string): void => {
    entries.get(key)?.coming.resolve(undefined)
    entries.delete(key)
  }

  return {
    /** Called when another process judged a ceremony; it forms its opinion while it is idle. */
    expect: (key: string, ask: () => void): void => void open(key, ask),
    take: (key: string, opinion: SecondOpinion): void => {
      const entry = open(key, () => undefined)
      entry.opinion = opinion
      entry.coming.resolve(opinion)
    },
    /** Waits for an opinion that may still come; undefined if none comes, or none was expected. */
    of: async (key: string): Promise<SecondOpinion | undefined> => {
      const entry = entries.get(key)
      if (entry?.opinion !== undefined || entry === undefined || wall.now() >= entry.until) return entry?.opinion
      entry.ask()
      const late = Promise.withResolvers<undefined>()
      const cancel = wall.at(entry.until, () => late.resolve(undefined))
      return Promise.race([entry.coming.promise, late.promise]).finally(cancel)
    },
    forget: (isOf: (key: string) => boolean): void => {
      for (const key of [...entries.keys()]) if (isOf(key)) remove(key)
    },
  }
}
