import type { behaviour } from '../../core/contract/control/phone-state.ts'
import type { ValueOf } from '../../core/contract/schema.ts'

/** How a phone answers what it is asked. Plain JSON; `ask` leaves it to the person. */
export type Behaviour = ValueOf<typeof behaviour>

export const ASK: Behaviour = { answer: 'ask' }
