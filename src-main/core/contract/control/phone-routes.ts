import type { TProperties } from 'typebox'
import { phoneName, phoneNumber } from '../app/fields.ts'
import { rpOrigin } from '../rp-identity.ts'
import * as t from '../schema.ts'
import {
  answerDelay,
  behaviour,
  howOften,
  newlyArmedFault,
  phoneId,
  phoneState,
  REASON_PATTERN,
  storage,
} from './phone-state.ts'
import { type ControlRoutes, del, get, patch, post } from './route.ts'

export const newPhone = {
  name: t.described(phoneName, 'What it is called.'),
  ...t.allOptional({
    account: t.object('Who signs in on it; when absent the phone’s own name with a number that is drawn.', {
      name: t.described(phoneName, 'For display.'),
      phone: phoneNumber,
    }),
    same_account_as: t.text(
      'The id of a phone that shares its account and secret; in a configuration file the name of one above.',
    ),
    model: t.shortText('One of `GET /phone-models`; `cloud-pebble` when absent.'),
    algorithm: t.shortText('Of new keys, as the models list them; the model’s own choice when absent.'),
    storage,
    behaviour,
  }),
}

/** In characters of Base64. */
export const LONGEST_PICTURE = 24_000_000
const base64 = t.text('Base64.', { maxLength: LONGEST_PICTURE })
const prompt = t.optional(t.text('The prompt to answer; the one on the screen when absent.'))

const seenOn = t.allOptional({
  seen_on: t.described(
    rpOrigin,
    'The origin of the page that shows the code, where that is not the RP’s: a relay. The phone shows both and signs for this one.',
  ),
})

/** Calls to one phone return its new state. */
const ofPhone = { params: phoneId, data: phoneState }

const act = <const A extends string, P extends TProperties>(name: A, summary: string, properties: P) =>
  post(`/phones/{id}/${name}`, summary, { ...ofPhone, body: t.object(properties) })

export const phoneRoutes = {
  'phones.list': get('/phones', 'The virtual phones.', { data: t.answer({ phones: t.list(phoneState) }) }),
  'phones.create': post('/phones', 'Makes a phone and signs it in.', {
    body: t.object({
      ...newPhone,
      lease: t.optional(t.text('A lease: the phone goes when it ends, with all that it left.')),
    }),
    data: phoneState,
  }),
  'phones.get': get('/phones/{id}', 'One phone.', ofPhone),
  'phones.patch': patch('/phones/{id}', 'Changes a phone.', {
    ...ofPhone,
    body: t.partial({
      name: t.described(phoneName, 'What it is called.'),
      model: t.shortText('One of `GET /phone-models`; for new keys.'),
      algorithm: t.orNull(t.shortText('Of new keys; null leaves it to the model again.')),
      storage,
      behaviour,
      network: t.choice(['online', 'offline']),
    }),
  }),
  'phones.delete': del('/phones/{id}', 'Signs a phone out and takes it off the bench.', { params: phoneId }),
  'phones.scan': post(
    '/phones/{id}/scan',
    'Holds the phone’s camera over a code: an address, or a picture that it really reads.',
    {
      ...ofPhone,
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
    },
  ),
  'phones.open': act('open', 'Opens a push that arrived.', { msg_id: t.text() }),
  'phones.dismiss': act('dismiss', 'Swipes a push away; the service is not told.', { msg_id: t.text() }),
  'phones.home': act('home', 'Leaves whatever is on the screen, unanswered.', {}),
  'phones.approve': act('approve', 'Puts the finger on the sensor.', {
    prompt,
    storage: t.optional(storage),
    delay_ms: answerDelay,
  }),
  'phones.reject': act('reject', 'Says no.', { prompt, reason: t.optional(t.text('A word.', REASON_PATTERN)) }),
  'phones.fail-fingerprint': act('fail-fingerprint', 'The finger is not recognised; the prompt stays.', { prompt }),
  'phones.sign-in': act('sign-in', 'Signs a phone in again.', {
    same_account_as: t.optional(t.text('A phone from which the account’s secret is taken, after a wipe.')),
  }),
  'phones.sign-out': act('sign-out', 'Signs a phone out; its chip and its account’s secret stay on it.', {}),
  'phones.wipe': act('wipe', 'Back to the factory state: signs out and forgets the chip and the account’s secret.', {}),
  'phones.lose': act('lose', 'The phone is lost and wiped from afar; it never answers again.', {}),
  'phones.sync': act('sync', 'Looks into cloud storage again.', {}),
  'phones.forget-credential': del(
    '/phones/{id}/credentials/{credential_id}',
    'Deletes a credential from the phone; the service is not told.',
    { params: t.object({ id: t.text('The phone.'), credential_id: t.text('The credential.') }), data: phoneState },
  ),
  'phones.arm': post(
    '/phones/{id}/faults',
    'Arms a fault for the next attempts. One that has begun goes on without it: `strikes` says which.',
    {
      ...ofPhone,
      body: t.object({ fault: t.shortText(), ...t.allOptional({ ...howOften, parameters: t.dictionary() }) }),
      data: newlyArmedFault,
    },
  ),
  'phones.disarm-all': del('/phones/{id}/faults', 'Disarms all of a phone’s faults.', ofPhone),
  'phones.disarm': del('/phones/{id}/faults/{fault_id}', 'Disarms one fault.', {
    params: t.object({ id: t.text('The phone.'), fault_id: t.text('The armed fault.') }),
    data: phoneState,
  }),
} as const satisfies ControlRoutes
