import type { PhoneWord } from '../../protocol/reasons.ts'
import { CLOCK_END, DAY_MS } from '../../protocol/time.ts'
import * as t from '../schema.ts'

export const REASON_PATTERN = { pattern: '^[a-z][a-z0-9_]{0,63}$' } as const
export const answerDelay = t.optional(t.duration('Milliseconds of the workspace’s clock before it answers.', DAY_MS))

export const storage = t.choice(['cloud', 'chip'], 'Where a credential is kept.')

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):[1-9]\d{0,4}$/

const relatedOrigins = t.refined(
  t.text(
    'Where it reads `/.well-known/webauthn` of an RP ID that does not fit the origin (related origins): `http://localhost:PORT`. When absent it reads nothing and refuses.',
  ),
  (value) => typeof value === 'string' && LOOPBACK.test(value) && URL.canParse(value),
  { code: 'loopback_origin' },
)

export const behaviour = t.object('How it answers by itself; `{"answer": "ask"}` when absent.', {
  answer: t.choice(['ask', 'approve', 'reject', 'ignore'], 'How the phone answers; `ask` leaves it to the person.'),
  delay_ms: answerDelay,
  fingerprint_failures: t.optional(
    t.whole('So many fingerprints fail before it answers.', { minimum: 0, maximum: 100 }),
  ),
  reason: t.optional(t.text('The machine word that is sent with a rejection.', REASON_PATTERN)),
  storage: t.optional(storage),
  related_origins: t.optional(relatedOrigins),
})

/** The end of the clock and one more day, for actions planned in its last moment. */
const LAST = CLOCK_END + DAY_MS
const seconds = t.whole('Unix seconds.', { minimum: 0, maximum: Math.floor(LAST / 1000) })

const heldCredential = t.answer({
  id: t.text(),
  name: t.text(),
  rp_id: t.text('The RP ID of WebAuthn.'),
  username: t.text(),
  storage,
  created_at: t.text('RFC 3339.'),
  removed_by: t.optional(t.text('The RP that no longer accepts it: the phone keeps it, but does not offer it.')),
})

export const phonePrompt = t.answer({
  id: t.text(),
  msg_id: t.text(),
  url: t.text(),
  kind: t.choice(['registration', 'authentication']),
  came_by: t.choice(['scan', 'push']),
  rp: t.answer({ id: t.text(), name: t.text(), origins: t.list(t.text()) }),
  user: t.answer({ username: t.text(), display_name: t.text() }),
  credential_name: t.text(),
  expires_at: seconds,
  origin: t.text('What the phone will sign for.'),
  storage: t.optional(storage),
  credentials: t.optional(t.list(heldCredential)),
  fingerprint_failures: t.count(),
  answers_at: t.optional(t.millis('Workspace time at which the phone answers by itself.', LAST)),
})

const phoneWord = t.typed<PhoneWord>(t.text('Why, as a machine word.'))
const reason = t.optional(t.coded('What was got and what was expected.'))

const screen = t.either(
  t.answer({ kind: t.constant('lock') }),
  t.answer({ kind: t.constant('home') }),
  t.answer({ kind: t.constant('camera') }),
  t.answer({ kind: t.constant('request'), prompt: phonePrompt, note: t.optional(phoneWord) }),
  t.answer({ kind: t.constant('working'), prompt: phonePrompt, doing: t.choice(['signing', 'sending']) }),
  t.answer({ kind: t.constant('success'), prompt: phonePrompt, credential_id: t.text() }),
  t.answer({ kind: t.constant('refused'), prompt: phonePrompt, word: t.text(), reason }),
  t.answer({
    kind: t.constant('problem'),
    word: phoneWord,
    reason,
    service_code: t.optional(t.whole('The code with which the service refused.')),
    prompt: t.optional(phonePrompt),
  }),
)

/** How often an armed fault triggers. */
export const howOften = {
  times: t.whole('Once when neither is given.', { minimum: 1, maximum: 1000 }),
  probability: t.decimal('More than 0: a fault that never strikes is not armed.', { exclusiveMinimum: 0, maximum: 1 }),
}

export const armedFault = t.answer({
  id: t.text(),
  fault: t.text(),
  left: t.optional(t.count('Attempts it will still strike.')),
  probability: t.optional(t.decimal()),
  parameters: t.optional(t.dictionary()),
})

export const newlyArmedFault = t.answer({
  ...armedFault.properties,
  strikes: t.answer('The next attempt of this kind, from its scan or push on.', {
    ceremony: t.choice(['registration', 'authentication', 'both', 'none'], '`none`: the next signal.'),
    begun: t.list(t.text(), 'The `msg_id` of attempts that have begun without it: it does not strike them.'),
  }),
})

/** Everything a page needs to draw a phone, and nothing secret. */
export const phoneState = t.answer({
  id: t.text(),
  name: t.text(),
  model: t.text(),
  algorithm: t.optional(t.text('Of new keys; absent: the service’s preferred one among the model’s.')),
  account: t.answer({ name: t.text(), phone: t.text('Masked: `138****5678`.') }),
  device_id: t.optional(t.text('How the service calls this phone while it is signed in.')),
  signed_in: t.flag(),
  network: t.choice(['online', 'offline']),
  inbox: t.choice(['closed', 'connecting', 'open'], 'Whether pushes can arrive at this moment.'),
  lost: t.flag(),
  storage,
  behaviour,
  screen,
  prompts: t.list(phonePrompt),
  notifications: t.list(
    t.answer({
      msg_id: t.text(),
      url: t.text(),
      rp: t.answer({ id: t.text(), name: t.text() }),
      expires_at: seconds,
      arrived_at: t.millis('Workspace time.', LAST),
    }),
  ),
  credentials: t.list(heldCredential),
  credentials_total: t.count('How many there are; the list has the newest 50.'),
  faults: t.list(armedFault),
})

export const phoneId = t.object({ id: t.text('The phone.') })
