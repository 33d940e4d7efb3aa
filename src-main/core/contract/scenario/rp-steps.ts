import { MESSAGE_STATES } from '../../protocol/message-state.ts'
import { simulatorRoutes } from '../control/simulator-routes.ts'
import { choice, dictionary, list, object, optional, refined, text } from '../schema.ts'
import { amount, as, message, rp, textPattern, until } from './parts.ts'

const { user_id, username, display_name, credential_name, form } = simulatorRoutes['simulator.register'].body.properties
const { method } = simulatorRoutes['simulator.sign-in'].body.properties

/** Steps of the RP, with its own signed calls. */
export const rpSteps = {
  register: object({ user_id, username, display_name, credential_name, form, rp, as }),
  sign_in: object({ user_id, username, method, form, rp, as }),
  expect: object({
    status: choice(MESSAGE_STATES),
    message,
    error: optional(textPattern),
    user_id: optional(textPattern),
    svc_user: optional(textPattern),
    until,
  }),
  expect_credentials: refined(
    object({
      user_id,
      count: optional(amount),
      credentials: optional(list(dictionary('Fields of a credential, in the order of the list.'))),
      rp,
      until,
    }),
    ({ count, credentials }) => count !== undefined || credentials !== undefined,
    { code: 'any_of', params: { forms: ['{user_id, count}', '{user_id, credentials}'] } },
  ),
  delete_credential: object({
    user_id,
    credential_name: optional(text('Which one, where the user has several.')),
    rp,
  }),
}
