import { rpOrigin } from '../rp-identity.ts'
import { choice, described, either, flag, object, optional, text, whole } from '../schema.ts'
import { answerDelay, phoneId, phoneState, REASON, storage } from './phone-state.ts'
import type { ControlRoutes } from './route.ts'

const base64 = text('Base64.', { maxLength: 24_000_000 })
const prompt = optional(text('The prompt to answer; the one on the screen when absent.'))

const seenOn = {
  seen_on: optional(
    described(
      rpOrigin,
      'The origin of the page that shows the code, where that is not the RP’s: a relay. The phone shows both and signs for this one.',
    ),
  ),
}

/** What a person does with a phone in the hand. */
export const phoneHandRoutes = {
  'phones.scan': {
    method: 'POST',
    path: '/phones/{id}/scan',
    scope: 'workspace',
    summary: 'Holds the phone’s camera over a code: an address, or a picture that it really reads.',
    params: phoneId,
    body: either(
      object({ url: text('What the code says.'), ...seenOn }),
      object({
        image: object({ data: base64, type: choice(['png', 'jpeg']) }),
        glance: optional(
          flag('The camera is still looking: without a code in the picture nothing happens but the refusal.'),
        ),
        ...seenOn,
      }),
      object({
        rgba: object({
          width: whole(undefined, { minimum: 1, maximum: 8192 }),
          height: whole(undefined, { minimum: 1, maximum: 8192 }),
          data: base64,
        }),
        ...seenOn,
      }),
    ),
    // The longest picture, in base64 and with what is around it.
    bodyLimit: 32 * 1024 * 1024,
    data: phoneState,
  },
  'phones.open': {
    method: 'POST',
    path: '/phones/{id}/open',
    scope: 'workspace',
    summary: 'Opens a push that arrived.',
    params: phoneId,
    body: object({ msg_id: text() }),
    data: phoneState,
  },
  'phones.dismiss': {
    method: 'POST',
    path: '/phones/{id}/dismiss',
    scope: 'workspace',
    summary: 'Swipes a push away; the service is not told.',
    params: phoneId,
    body: object({ msg_id: text() }),
    data: phoneState,
  },
  'phones.home': {
    method: 'POST',
    path: '/phones/{id}/home',
    scope: 'workspace',
    summary: 'Leaves whatever is on the screen, unanswered.',
    params: phoneId,
    body: object({}),
    data: phoneState,
  },
  'phones.approve': {
    method: 'POST',
    path: '/phones/{id}/approve',
    scope: 'workspace',
    summary: 'Puts the finger on the sensor.',
    params: phoneId,
    body: object({
      prompt,
      storage: optional(storage),
      delay_ms: answerDelay,
    }),
    data: phoneState,
  },
  'phones.reject': {
    method: 'POST',
    path: '/phones/{id}/reject',
    scope: 'workspace',
    summary: 'Says no.',
    params: phoneId,
    body: object({ prompt, reason: optional(text('A word.', REASON)) }),
    data: phoneState,
  },
  'phones.fail-fingerprint': {
    method: 'POST',
    path: '/phones/{id}/fail-fingerprint',
    scope: 'workspace',
    summary: 'The finger is not recognised; the prompt stays.',
    params: phoneId,
    body: object({ prompt }),
    data: phoneState,
  },
} as const satisfies ControlRoutes
