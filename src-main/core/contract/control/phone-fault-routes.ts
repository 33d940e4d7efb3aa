import { decimal, dictionary, object, optional, shortText, text, whole } from '../schema.ts'
import { newlyArmedFault, phoneId, phoneState } from './phone-state.ts'
import type { ControlRoutes } from './route.ts'

/** What a phone is told to get wrong. */
export const phoneFaultRoutes = {
  'phones.arm': {
    method: 'POST',
    path: '/phones/{id}/faults',
    scope: 'workspace',
    summary: 'Arms a fault for the next attempts. One that has begun goes on without it: `strikes` says which.',
    params: phoneId,
    body: object({
      fault: shortText(),
      times: optional(whole('Once when neither is given.', { minimum: 1, maximum: 1000 })),
      probability: optional(
        decimal('More than 0: a fault that never strikes is not armed.', { exclusiveMinimum: 0, maximum: 1 }),
      ),
      parameters: optional(dictionary()),
    }),
    data: newlyArmedFault,
  },
  'phones.disarm-all': {
    method: 'DELETE',
    path: '/phones/{id}/faults',
    scope: 'workspace',
    summary: 'Disarms all of a phone’s faults.',
    params: phoneId,
    data: phoneState,
  },
  'phones.disarm': {
    method: 'DELETE',
    path: '/phones/{id}/faults/{fault_id}',
    scope: 'workspace',
    summary: 'Disarms one fault.',
    params: object({ id: text('The phone.'), fault_id: text('The armed fault.') }),
    data: phoneState,
  },
} as const satisfies ControlRoutes
