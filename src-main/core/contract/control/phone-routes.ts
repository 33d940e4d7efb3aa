import { rpOrigin } from '../rp-identity.ts'
import * as t from '../schema.ts'
import { phoneMakingRoutes } from './phone-making-routes.ts'
import { answerDelay, newlyArmedFault, phoneId, phoneState, REASON_PATTERN, storage } from './phone-state.ts'
import type { ControlRoutes } from './route.ts'

const base64 = t.text('Base64.', { maxLength: 24_000_000 })
const prompt = t.optional(t.text('The prompt to answer; the one on the screen when absent.'))

const seenOn = {
  seen_on: t.optional(
    t.described(
      rpOrigin,
      'The origin of the page that shows the code, where that is not the RP’s: a relay. The phone shows both and signs for this one.',
    ),
  ),
}

export const phoneHandRoutes = {
  'phones.scan': {
    method: 'POST',
    path: '/phones/{id}/scan',
    scope: 'workspace',
    summary: 'Holds the phone’s camera over a code: an address, or a picture that it really reads.',
    params: phoneId,
    body: t.either(
      t.object({ url: t.text('What the code says.'), ...seenOn }),
      t.object({
        image: t.object({ data: base64, type: t.choice(['png', 'jpeg']) }),
        glance: t.optional(
          t.flag('The camera is still looking: without a code in the picture nothing happens but the refusal.'),
        ),
        ...seenOn,
      }),
      t.object({
        rgba: t.object({
          width: t.whole(undefined, { minimum: 1, maximum: 8192 }),
          height: t.whole(undefined, { minimum: 1, maximum: 8192 }),
          data: base64,
        }),
        ...seenOn,
      }),
    ),
    // The longest picture, in base64, with the JSON around it.
    bodyLimit: 32 * 1024 * 1024,
    data: phoneState,
  },
  'phones.open': {
    method: 'POST',
    path: '/phones/{id}/open',
    scope: 'workspace',
    summary: 'Opens a push that arrived.',
    params: phoneId,
    body: t.object({ msg_id: t.text() }),
    data: phoneState,
  },
  'phones.dismiss': {
    method: 'POST',
    path: '/phones/{id}/dismiss',
    scope: 'workspace',
    summary: 'Swipes a push away; the service is not told.',
    params: phoneId,
    body: t.object({ msg_id: t.text() }),
    data: phoneState,
  },
  'phones.home': {
    method: 'POST',
    path: '/phones/{id}/home',
    scope: 'workspace',
    summary: 'Leaves whatever is on the screen, unanswered.',
    params: phoneId,
    body: t.object({}),
    data: phoneState,
  },
  'phones.approve': {
    method: 'POST',
    path: '/phones/{id}/approve',
    scope: 'workspace',
    summary: 'Puts the finger on the sensor.',
    params: phoneId,
    body: t.object({ prompt, storage: t.optional(storage), delay_ms: answerDelay }),
    data: phoneState,
  },
  'phones.reject': {
    method: 'POST',
    path: '/phones/{id}/reject',
    scope: 'workspace',
    summary: 'Says no.',
    params: phoneId,
    body: t.object({ prompt, reason: t.optional(t.text('A word.', REASON_PATTERN)) }),
    data: phoneState,
  },
  'phones.fail-fingerprint': {
    method: 'POST',
    path: '/phones/{id}/fail-fingerprint',
    scope: 'workspace',
    summary: 'The finger is not recognised; the prompt stays.',
    params: phoneId,
    body: t.object({ prompt }),
    data: phoneState,
  },
} as const satisfies ControlRoutes

const phoneLifeRoutes = {
  'phones.sign-in': {
    method: 'POST',
    path: '/phones/{id}/sign-in',
    scope: 'workspace',
    summary: 'Signs a phone in again.',
    params: phoneId,
    body: t.object({
      same_account_as: t.optional(t.text('A phone from which the account’s secret is taken, after a wipe.')),
    }),
    data: phoneState,
  },
  'phones.sign-out': {
    method: 'POST',
    path: '/phones/{id}/sign-out',
    scope: 'workspace',
    summary: 'Signs a phone out; its chip and its account’s secret stay on it.',
    params: phoneId,
    body: t.object({}),
    data: phoneState,
  },
  'phones.wipe': {
    method: 'POST',
    path: '/phones/{id}/wipe',
    scope: 'workspace',
    summary: 'Back to the factory state: signs out and forgets the chip and the account’s secret.',
    params: phoneId,
    body: t.object({}),
    data: phoneState,
  },
  'phones.lose': {
    method: 'POST',
    path: '/phones/{id}/lose',
    scope: 'workspace',
    summary: 'The phone is lost and wiped from afar; it never answers again.',
    params: phoneId,
    body: t.object({}),
    data: phoneState,
  },
  'phones.sync': {
    method: 'POST',
    path: '/phones/{id}/sync',
    scope: 'workspace',
    summary: 'Looks into cloud storage again.',
    params: phoneId,
    body: t.object({}),
    data: phoneState,
  },
  'phones.forget-credential': {
    method: 'DELETE',
    path: '/phones/{id}/credentials/{credential_id}',
    scope: 'workspace',
    summary: 'Deletes a credential from the phone; the service is not told.',
    params: t.object({ id: t.text('The phone.'), credential_id: t.text('The credential.') }),
    data: phoneState,
  },
} as const satisfies ControlRoutes

export const phoneFaultRoutes = {
  'phones.arm': {
    method: 'POST',
    path: '/phones/{id}/faults',
    scope: 'workspace',
    summary: 'Arms a fault for the next attempts. One that has begun goes on without it: `strikes` says which.',
    params: phoneId,
    body: t.object({
      fault: t.shortText(),
      times: t.optional(t.whole('Once when neither is given.', { minimum: 1, maximum: 1000 })),
      probability: t.optional(
        t.decimal('More than 0: a fault that never strikes is not armed.', { exclusiveMinimum: 0, maximum: 1 }),
      ),
      parameters: t.optional(t.dictionary()),
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
    params: t.object({ id: t.text('The phone.'), fault_id: t.text('The armed fault.') }),
    data: phoneState,
  },
} as const satisfies ControlRoutes

export const phoneRoutes = {
  ...phoneMakingRoutes,
  ...phoneHandRoutes,
  ...phoneLifeRoutes,
  ...phoneFaultRoutes,
} as const satisfies ControlRoutes
