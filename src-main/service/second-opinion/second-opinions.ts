import { performance } from 'node:perf_hooks'
import type { SecondOpinion } from '../../core/contract/judge/verdict.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { JudgedCeremony, OpinionListener, SecondOpinions } from './opinions.ts'
import { createRemoteOpinions } from './opinions-elsewhere.ts'
import { opinionAgrees, secondOpinion } from './second-opinion.ts'

/** For all workspaces together. Beyond this, the oldest ceremonies get no opinion. */
const MAX_WAITING = 512
const MAX_KEPT = 10_000
/** The process is idle if it judged nothing for this long, the alarm rings on time, and the event loop mostly slept. */
const PAUSE_MS = 20
const LATE_MS = 5
const MOSTLY = 0.5
/** Opinions per slice, while no reader waits. */
const SLICE = 8
/** A slice is formed at least this often: a reader in another process cannot always ask. */
const LONGEST_BUSY_MS = 1_000

type Entry = { readonly workspace: string; readonly messageId: string }
type Waiting = Entry & { readonly judged: JudgedCeremony }
type Formed = Entry & { readonly opinion: Promise<SecondOpinion> }

export const formOpinion = async ({ ceremony, verdict }: JudgedCeremony, wall: Clock): Promise<SecondOpinion> => {
  const opinion = await secondOpinion(ceremony, { wall: wall.now() })
  if (!opinion.heard) return { heard: false, reason: opinion.why }
  return { ...opinion, ...(opinionAgrees(verdict, opinion) ? {} : { disagrees: true }) }
}

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

export const createSecondOpinions = (
  wall: Clock,
  relay: OpinionRelay = {},
  utilization: Utilization = createUtilization(),
): SecondOpinions => {
  const elsewhere = createRemoteOpinions(wall)
  const waiting = new Map<string, Waiting>()
  const formed = new Map<string, Formed>()
  const listeners = new Map<string, Set<OpinionListener>>()
  let alarmSet = false
  let judgedMeanwhile = false
  let lastFormed = Number.NEGATIVE_INFINITY

  const form = async (key: string, { workspace, messageId, judged }: Waiting): Promise<SecondOpinion> => {
    waiting.delete(key)
    const opinion = formOpinion(judged, wall)
    put(formed, key, { workspace, messageId, opinion }, MAX_KEPT)
    const result = await opinion
    // The workspace may have been closed since, and another one opened with its id.
    if (formed.get(key)?.opinion === opinion) {
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
    for (const [key, entry] of [...waiting].slice(0, SLICE)) if (waiting.has(key)) await form(key, entry)
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
    later: (workspace, messageId, judged) => {
      const key = keyOf(workspace, messageId)
      formed.delete(key)
      put(waiting, key, { workspace, messageId, judged }, MAX_WAITING)
      judgedMeanwhile = true
      setAlarm()
    },
    of: async (workspace, messageId) => {
      const key = keyOf(workspace, messageId)
      const entry = waiting.get(key)
      if (entry !== undefined) return form(key, entry)
      return formed.get(key)?.opinion ?? elsewhere.of(key)
    },
    listen: (workspace, listener) => {
      const known = listeners.get(workspace) ?? new Set()
      listeners.set(workspace, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && listeners.get(workspace) === known) listeners.delete(workspace)
      }
    },
    expect: (workspace, messageId) =>
      elsewhere.expect(keyOf(workspace, messageId), () => relay.ask?.(workspace, messageId)),
    receive: (workspace, messageId, opinion) => {
      elsewhere.take(keyOf(workspace, messageId), opinion)
      notify(workspace, messageId, opinion)
    },
    forget: (workspace) => {
      elsewhere.forget((key) => key.startsWith(keyOf(workspace, '')))
      for (const entries of [waiting, formed] as const) {
        for (const [key, entry] of entries) if (entry.workspace === workspace) entries.delete(key)
      }
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
