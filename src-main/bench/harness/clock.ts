import {
  type CancelAlarm,
  CLOCK_END,
  type Clock,
  clockTimeAt,
  type KeptClock,
  type Millis,
  withoutFuture,
} from '../../core/protocol/time.ts'
import { createKeyedQueue } from '../../core/protocol/turns.ts'

/** The only clock that reads real time. */
export const realClock: Clock = {
  now: () => Date.now(),
  at: (time, alarm) => {
    let timer: NodeJS.Timeout
    const wait = (): void => {
      const left = time - Date.now()
      timer = left > LONGEST_TIMER ? setTimeout(wait, LONGEST_TIMER) : setTimeout(alarm, Math.max(0, left))
      timer.unref()
    }
    wait()
    return () => clearTimeout(timer)
  },
}

/** Fractional milliseconds that never go back, from an arbitrary origin, for work that must begin at an exact time. */
export const monotonicClock: Clock = {
  now: () => performance.now(),
  at: (time, alarm) => {
    const timer = setTimeout(alarm, Math.min(LONGEST_TIMER, Math.max(0, time - performance.now())))
    return () => clearTimeout(timer)
  },
}

/** Microseconds that never go back, to measure durations. */
export const monotonicMicros = (): number => Math.round(performance.now() * 1000)

/** setTimeout takes 31 bits. */
const LONGEST_TIMER = 0x7fff_ffff

export type ClockSetting = { readonly now?: Millis; readonly frozen?: boolean; readonly speed?: number }

export type BenchClock = ReturnType<typeof createBenchClock>

export type BenchClockOptions = {
  readonly real?: Clock
  /** A setting that is applied to real time, or a kept state. */
  readonly start?: ClockSetting | { readonly kept: KeptClock }
  /** Resolves when the work of alarms is done. */
  readonly settle?: () => Promise<void>
}

type Alarm = { readonly time: Millis; readonly ring: () => void }

/** Starts at real time and can be frozen, set, advanced and sped up. */
export const createBenchClock = ({ real = realClock, start = {}, settle }: BenchClockOptions = {}) => {
  /** Alarms, sorted by time and then by the order of setting. All messages of a workspace share one alarm. */
  let alarms: readonly Alarm[] = []
  let frozen = false
  // The clock stops while it is moved, so that each alarm sees its own time.
  let moving = false
  let anchor = { now: 0, real: 0, speed: 1 }
  let cancelTimer: CancelAlarm | undefined
  const turns = createKeyedQueue()

  const now = (): Millis => (frozen || moving ? anchor.now : clockTimeAt(anchor, real.now()))
  const anchorAt = (bench: Millis, speed = anchor.speed): void => {
    anchor = { now: Math.floor(Math.min(bench, CLOCK_END)), real: real.now(), speed }
  }
  const followReal = (): void => {
    frozen = false
    const time = real.now()
    anchor = { now: time, real: time, speed: 1 }
  }
  const goOn = (as: KeptClock): void => {
    const time = real.now()
    frozen = as.real === undefined
    anchor = { real: time, ...withoutFuture(as, time) }
  }
  followReal()
  if ('kept' in start) goOn(start.kept)
  else {
    frozen = start.frozen ?? false
    if (start.now !== undefined) anchorAt(start.now)
    anchor = { ...anchor, speed: start.speed ?? 1 }
  }

  const cancel = (alarm: Alarm): void => {
    alarms = alarms.filter((each) => each !== alarm)
  }
  const ring = (alarm: Alarm): void => {
    cancel(alarm)
    alarm.ring()
  }

  const ringDue = (): void => {
    cancelTimer = undefined
    for (let [due] = alarms; due !== undefined && !moving && due.time <= now(); [due] = alarms) ring(due)
    setTimer()
  }

  const setTimer = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    const [next] = alarms
    if (next === undefined || moving) return
    const left = next.time - now()
    // A frozen clock reaches no alarm, but one for a past time rings immediately.
    if (left > 0 && (frozen || next.time > CLOCK_END)) return
    cancelTimer = real.at(Math.ceil(real.now() + Math.max(0, left) / anchor.speed), ringDue)
  }

  const moveTo = async (target: Millis): Promise<void> => {
    const end = Math.min(target, CLOCK_END)
    anchorAt(now())
    moving = true
    setTimer()
    try {
      for (let [due] = alarms; due !== undefined && due.time <= end; [due] = alarms) {
        anchorAt(Math.max(anchor.now, due.time))
        ring(due)
        await settle?.()
      }
    } finally {
      anchorAt(end)
      moving = false
      setTimer()
    }
  }

  /** Runs changes one at a time: each waits until the previous one has rung all its alarms. */
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => turns.inTurn('clock', change)

  return {
    now,
    at: (time: Millis, alarm: () => void): CancelAlarm => {
      // Rounded up: an alarm must not ring early, and its effects are stored with whole milliseconds.
      const set: Alarm = { time: Math.ceil(time), ring: alarm }
      alarms = alarms.toSpliced(alarms.findLastIndex((each) => each.time <= set.time) + 1, 0, set)
      if (alarms[0] === set) setTimer()
      return () => cancel(set)
    },
    read: () => ({ now: now(), frozen, speed: anchor.speed }),
    /** The state from which the clock continues in another process. */
    kept: (): KeptClock => (frozen ? { now: anchor.now, speed: anchor.speed } : anchor),
    /** Absent members keep their value. A later time rings the alarms due on the way; an earlier one rings none. */
    set: (setting: ClockSetting): Promise<void> =>
      inTurn(async () => {
        // Freezes first, so that no real time is added to the time that is set.
        if (setting.frozen === true || setting.now !== undefined) {
          anchorAt(now())
          frozen = setting.frozen ?? frozen
        }
        if (setting.now !== undefined) {
          if (setting.now >= now()) await moveTo(setting.now)
          else anchorAt(setting.now)
        }
        anchorAt(now(), setting.speed)
        frozen = setting.frozen ?? frozen
        setTimer()
      }),
    /** Alarms on the way ring in their order, each at its own time, and their work is awaited. */
    advance: (ms: number): Promise<void> => inTurn(() => moveTo(now() + ms)),
    followReal: (): Promise<void> =>
      inTurn(async () => {
        followReal()
        setTimer()
      }),
    /** Stops the clock at `held` and rings nothing during the change; then continues with `next`, or as before. */
    heldAt: <T>(
      held: Millis,
      change: () => Promise<{ readonly next: KeptClock | undefined; readonly value: T }>,
    ): Promise<T> =>
      inTurn(async () => {
        const before = anchor
        moving = true
        anchorAt(held)
        setTimer()
        let next: KeptClock | undefined
        try {
          const done = await change()
          next = done.next
          return done.value
        } finally {
          moving = false
          if (next === undefined) anchor = before
          else goOn(next)
          setTimer()
        }
      }),
    stop: (): void => {
      alarms = []
      cancelTimer?.()
    },
  }
}

export type BenchClocks = ReturnType<typeof createClocks>

type BenchClocksOptions = {
  readonly real?: Clock
  readonly start?: ClockSetting
  /** A clock that follows real time is undefined. */
  readonly kept?: ReadonlyMap<string, KeptClock | undefined>
  readonly settle: (workspace: string) => Promise<void>
}

/** A clock is made on first use. */
export const createClocks = ({ real = realClock, start = {}, kept = new Map(), settle }: BenchClocksOptions) => {
  const clocks = new Map<string, BenchClock>()
  const before = new Map(kept)
  /** A clock for a workspace whose id may turn out to be taken. */
  const draft = (workspace: string, begins: ClockSetting | { readonly kept: KeptClock } = start): BenchClock =>
    createBenchClock({ real, start: begins, settle: () => settle(workspace) })
  /** Makes the clock the workspace's own, from its first event on. */
  const begin = (workspace: string, clock: BenchClock): BenchClock => {
    clocks.get(workspace)?.stop()
    clocks.set(workspace, clock)
    return clock
  }
  const startOf = (workspace: string): ClockSetting | { readonly kept: KeptClock } => {
    if (!before.has(workspace)) return start
    const clock = before.get(workspace)
    return clock === undefined ? {} : { kept: clock }
  }
  return {
    of: (workspace: string): BenchClock =>
      clocks.get(workspace) ?? begin(workspace, draft(workspace, startOf(workspace))),
    draft,
    begin,
    forget: (workspace: string): void => {
      clocks.get(workspace)?.stop()
      clocks.delete(workspace)
      before.delete(workspace)
    },
    stop: (): void => {
      for (const clock of clocks.values()) clock.stop()
    },
  }
}

const EVERY_MS = 10_000
/** Two clocks that differ by no more than this count as equal: the answer's delay may cause the difference. */
const AGREE_MS = 250

/**
 * Follows the real time of a machine that leads several; `ask` returns that time. If `ask` fails, the last difference
 * is used until a later call succeeds.
 */
export const followClock = async (real: Clock, ask: () => Promise<Millis>) => {
  let ahead = 0
  const compare = async (): Promise<void> => {
    const before = real.now()
    const leader = await ask()
    const after = real.now()
    // The leader read its clock at some moment between `before` and `after`.
    const difference = Math.round(leader - (before + after) / 2)
    ahead = Math.abs(difference) <= AGREE_MS + (after - before) / 2 ? 0 : difference
  }
  await compare()
  const timer = setInterval(() => void compare().catch(() => undefined), EVERY_MS).unref()
  return {
    now: () => real.now() + ahead,
    at: (time: Millis, alarm: () => void) => real.at(time - ahead, alarm),
    stop: () => clearInterval(timer),
  }
}
