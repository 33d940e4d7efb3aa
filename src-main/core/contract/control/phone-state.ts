import { CLOCK_END, DAY_MS } from '../../protocol/time.ts'
import type { PhoneWord } from '../errors.ts'
import {
  answer,
  choice,
  coded,
  constant,
  count,
  decimal,
  dictionary,
  duration,
  either,
  flag,
  list,
  millis,
  object,
  optional,
  text,
  typed,
  whole,
} from '../schema.ts'

export const REASON_PATTERN = { pattern: '^[a-z][a-z0-9_]{0,63}$' } as const
export const answerDelay = optional(duration('Milliseconds of the workspace’s clock before it answers.', DAY_MS))

export const storage = choice(['cloud', 'chip'], 'Where a credential is kept.')

export const behaviour = object(
  {
    answer: choice(['ask', 'approve', 'reject', 'ignore'], 'How the phone answers; `ask` leaves it to the person.'),
    delay_ms: answerDelay,
    fingerprint_failures: optional(whole('So many fingerprints fail before it answers.', { minimum: 0, maximum: 100 })),
    reason: optional(text('The machine word that is sent with a rejection.', REASON_PATTERN)),
    storage: optional(storage),
  },
  { description: 'How it answers by itself; `{"answer": "ask"}` when absent.' },
)

/** The end of the clock and one more day, for actions planned in its last moment. */
const LAST = CLOCK_END + DAY_MS
const seconds = whole('Unix seconds.', { minimum: 0, maximum: Math.floor(LAST / 1000) })

const heldCredential = answer({
  id: text(),
  name: text(),
  rp_id: text('The RP ID of WebAuthn.'),
  username: text(),
  storage,
  created_at: text('RFC 3339.'),
})

export const phonePrompt = answer({
  id: text(),
  msg_id: text(),
  url: text(),
  kind: choice(['registration', 'authentication']),
  came_by: choice(['scan', 'push']),
  rp: answer({ id: text(), name: text(), origins: list(text()) }),
  user: answer({ username: text(), display_name: text() }),
  credential_name: text(),
  expires_at: seconds,
  origin: text('What the phone will sign for.'),
  storage: optional(storage),
  credentials: optional(list(heldCredential)),
  fingerprint_failures: count(),
  answers_at: optional(millis('Workspace time at which the phone answers by itself.', LAST)),
})

const phoneWord = typed<PhoneWord>(text('Why, as a machine word.'))
const reason = optional(coded('What was got and what was expected.'))

const screen = either(
  answer({ kind: constant('lock') }),
  answer({ kind: constant('home') }),
  answer({ kind: constant('camera') }),
  answer({ kind: constant('request'), prompt: phonePrompt, note: optional(phoneWord) }),
  answer({ kind: constant('working'), prompt: phonePrompt, doing: choice(['signing', 'sending']) }),
  answer({ kind: constant('success'), prompt: phonePrompt, credential_id: text() }),
  answer({ kind: constant('refused'), prompt: phonePrompt, word: text(), reason }),
  answer({
    kind: constant('problem'),
    word: phoneWord,
    reason,
    service_code: optional(whole('The code with which the service refused.')),
    prompt: optional(phonePrompt),
  }),
)

export const armedFault = answer({
  id: text(),
  fault: text(),
  left: optional(count('Attempts it will still strike.')),
  probability: optional(decimal()),
  parameters: optional(dictionary()),
})

export const newlyArmedFault = answer({
  ...armedFault.properties,
  strikes: answer(
    {
      ceremony: choice(['registration', 'authentication', 'both']),
      begun: list(text(), {
        description: 'The `msg_id` of attempts that have begun without it: it does not strike them.',
      }),
    },
    { description: 'The next attempt of this kind, from its scan or push on.' },
  ),
})

/** Everything a page needs to draw a phone, and nothing secret. */
export const phoneState = answer({
  id: text(),
  name: text(),
  model: text(),
  algorithm: optional(text('Of new keys; absent: the service’s preferred one among the model’s.')),
  account: answer({ name: text(), phone: text('Masked: `138****5678`.') }),
  device_id: optional(text('How the service calls this phone while it is signed in.')),
  signed_in: flag(),
  network: choice(['online', 'offline']),
  inbox: choice(['closed', 'connecting', 'open'], 'Whether pushes can arrive at this moment.'),
  lost: flag(),
  storage,
  behaviour,
  screen,
  prompts: list(phonePrompt),
  notifications: list(
    answer({
      msg_id: text(),
      url: text(),
      rp: answer({ id: text(), name: text() }),
      expires_at: seconds,
      arrived_at: millis('Workspace time.', LAST),
    }),
  ),
  credentials: list(heldCredential),
  credentials_total: count('How many there are; the list has the newest 50.'),
  faults: list(armedFault),
})

export const phoneId = object({ id: text('The phone.') })
