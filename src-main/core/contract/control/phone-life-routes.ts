import { object, optional, text } from '../schema.ts'
import { phoneId, phoneState } from './phone-state.ts'
import type { ControlRoutes } from './route.ts'

/** What becomes of a phone: its account, its network, what it holds. */
export const phoneLifeRoutes = {
  'phones.sign-in': {
    method: 'POST',
    path: '/phones/{id}/sign-in',
    scope: 'workspace',
    summary: 'Signs a phone in again.',
    params: phoneId,
    body: object({
      same_account_as: optional(text('A phone from which the account’s secret is taken, after a wipe.')),
    }),
    data: phoneState,
  },
  'phones.sign-out': {
    method: 'POST',
    path: '/phones/{id}/sign-out',
    scope: 'workspace',
    summary: 'Signs a phone out; its chip and its account’s secret stay on it.',
    params: phoneId,
    body: object({}),
    data: phoneState,
  },
  'phones.wipe': {
    method: 'POST',
    path: '/phones/{id}/wipe',
    scope: 'workspace',
    summary: 'Back to the factory state: signs out and forgets the chip and the account’s secret.',
    params: phoneId,
    body: object({}),
    data: phoneState,
  },
  'phones.lose': {
    method: 'POST',
    path: '/phones/{id}/lose',
    scope: 'workspace',
    summary: 'The phone is lost and wiped from afar; it never answers again.',
    params: phoneId,
    body: object({}),
    data: phoneState,
  },
  'phones.sync': {
    method: 'POST',
    path: '/phones/{id}/sync',
    scope: 'workspace',
    summary: 'Looks into cloud storage again.',
    params: phoneId,
    body: object({}),
    data: phoneState,
  },
  'phones.forget-credential': {
    method: 'DELETE',
    path: '/phones/{id}/credentials/{credential_id}',
    scope: 'workspace',
    summary: 'Deletes a credential from the phone; the service is not told.',
    params: object({ id: text('The phone.'), credential_id: text('The credential.') }),
    data: phoneState,
  },
} as const satisfies ControlRoutes
