import { partial, text, type ValueOf } from './schema.ts'

const one = (description: string) => text(description, { minLength: 1, maxLength: 256 })

/** Every named part must match; a call without that part never matches. */
export const scope = partial(
  {
    user_id: one('Calls about this user of an RP.'),
    phone: one('Calls about a message that this phone has taken, and its own calls: a phone’s or a device’s id.'),
    msg_id: one('Calls about this message.'),
  },
  { minProperties: 1, description: 'Only calls about this user, phone or message; what is named must all fit.' },
)

export type Scope = ValueOf<typeof scope>
