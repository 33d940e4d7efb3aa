import { CLOCK_END, type KeptClock } from '../protocol/time.ts'
import * as t from './schema.ts'

/** Workspace seconds per real second. */
export const CLOCK_SPEED = { minimum: 0.001, maximum: 100_000 } as const

/** Absent settings stay as they are. */
export const clockSetting = {
  now: t.millis('A time before the present one is allowed; alarms that have rung do not ring again.', CLOCK_END),
  frozen: t.flag('Whether it stands still.'),
  speed: t.decimal('Workspace seconds per real second.', CLOCK_SPEED),
}

export const clockState = t.answer({
  now: t.millis('The workspace’s time.'),
  frozen: t.flag(),
  speed: t.decimal('Workspace seconds per real second.'),
  offset_ms: t.orNull(t.whole('How far it is ahead of real time; null while it is frozen.')),
  next_expiry: t.orNull(t.millis('When the next message that is under way expires.')),
})

export const keptClock = t.typed<KeptClock>(
  t.object({
    now: t.millis(undefined, CLOCK_END),
    speed: t.decimal(undefined, CLOCK_SPEED),
    real: t.optional(t.millis(undefined, CLOCK_END)),
  }),
)
