import { CLOCK_SPEED } from '../../protocol/kept-clock.ts'
import { CLOCK_END } from '../../protocol/time.ts'
import { decimal, flag, millis, optional } from '../schema.ts'

/** How a clock is set; what is not named stays. */
export const clockSetting = {
  now: optional(
    millis('A time before the present one is allowed; alarms that have rung do not ring again.', CLOCK_END),
  ),
  frozen: optional(flag()),
  speed: optional(decimal('Workspace seconds per real second.', CLOCK_SPEED)),
}
