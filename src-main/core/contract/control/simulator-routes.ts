import { verdictFields } from '../judge/verdict.ts'
import { ANSWER_SIGNINGS, answerEdits, RESEND_BODY_MAX, resending } from '../resending.ts'
import { RP_CARES, RP_DOUBTS, RP_VERDICTS } from '../rp-care.ts'
import {
  answer,
  choice,
  coded,
  count,
  duration,
  flag,
  list,
  millis,
  object,
  optional,
  orNull,
  text,
} from '../schema.ts'
import type { ControlRoutes } from './route.ts'

/** The simulated RP's view of one of its requests: only what it read over signed HTTP. */
export const attemptState = answer({
  msg_id: text(),
  rp: text(),
  ceremony: choice(['registration', 'authentication']),
  method: orNull(choice(['qrcode', 'push'])),
  user_id: text(),
  username: text(),
  url: text('What the RP turns into a QR code.'),
  expires_at: count('Unix seconds.'),
  started_at: millis('Workspace time.'),
  status: choice(['init', 'bind', 'success', 'fail', 'timeout'], 'As last read.'),
  svc_user: text(),
  error: text(),
  verified_user_id: text('The user_id of a successful sign-in.'),
  polls: count('How often the result was asked for.'),
  polling: flag('Whether it is being asked for by itself.'),
  refusal: orNull(answer({ code: count(), error: text() })),
  care: choice(RP_CARES, 'As it was when the request began.'),
  made: choice(RP_VERDICTS, 'What the RP made of the answers: it may refuse what the service calls a success.'),
  account: text('Whose account the RP shows since; empty while it shows nobody’s.'),
  doubt: orNull(choice(RP_DOUBTS, 'Why it refused.')),
})

const manner = answer({ care: choice(RP_CARES, '`careful` as long as nobody changes it.') })

const rp = object({ rp: text('The RP’s id.') })
const attempt = object({ rp: text('The RP’s id.'), msg_id: text('The message.') })

const listedCredential = answer({
  credential_id: text(),
  credential_name: text(),
  user_id: text(),
  created_at: text('By the workspace’s clock.'),
  updated_at: text(),
})

/** Name in the events for a caller that gives none. */
export const UNNAMED_CALLER = 'control'

export const asking = {
  asked_by: optional(
    text('A word of the caller’s own. It stands in the events of these calls, `control` when absent.', {
      pattern: '^[\\w-]{1,64}$',
    }),
  ),
}

const polling = {
  poll: optional(flag('Ask for the result until it is final; true when absent.')),
  interval_ms: optional(duration('Real time between two polls; 1000 when absent.', 60_000)),
  form: optional(
    choice(
      ['general', 'short'],
      'The form of the Authorization header; when absent general, where the profile accepts it.',
    ),
  ),
}

/** The RP simulator signs and speaks HTTP to the service like any RP. A refusal of the service is passed on. */
export const simulatorRoutes = {
  'simulator.get': {
    method: 'GET',
    path: '/rps/{rp}/simulator',
    scope: 'workspace',
    summary: 'How far the RP simulator believes the service.',
    params: rp,
    data: manner,
  },
  'simulator.patch': {
    method: 'PATCH',
    path: '/rps/{rp}/simulator',
    scope: 'workspace',
    summary:
      'Makes the RP simulator careful or careless, from its next request on. It is careful again after a reset or a restart.',
    params: rp,
    body: object({ care: choice(RP_CARES) }),
    data: manner,
  },
  'simulator.register': {
    method: 'POST',
    path: '/rps/{rp}/simulator/register',
    scope: 'workspace',
    summary: 'The RP asks for a registration.',
    params: rp,
    body: object({
      user_id: text(),
      username: text(),
      display_name: optional(text()),
      credential_name: optional(text()),
      ...polling,
      ...asking,
    }),
    data: attemptState,
  },
  'simulator.sign-in': {
    method: 'POST',
    path: '/rps/{rp}/simulator/sign-in',
    scope: 'workspace',
    summary: 'The RP asks for a sign-in.',
    params: rp,
    body: object({ user_id: text(), username: text(), method: choice(['qrcode', 'push']), ...polling, ...asking }),
    data: attemptState,
  },
  'simulator.attempt': {
    method: 'GET',
    path: '/rps/{rp}/simulator/attempts/{msg_id}',
    scope: 'workspace',
    summary: 'One of the RP’s requests.',
    params: attempt,
    data: attemptState,
  },
  'simulator.poll': {
    method: 'POST',
    path: '/rps/{rp}/simulator/attempts/{msg_id}/poll',
    scope: 'workspace',
    summary: 'The RP asks for the result once, now.',
    params: attempt,
    body: object({}),
    data: attemptState,
  },
  'simulator.credentials': {
    method: 'GET',
    path: '/rps/{rp}/simulator/credentials',
    scope: 'workspace',
    summary: 'The RP asks for the credentials of one of its users, as signed as everything else.',
    params: rp,
    query: object({ user_id: text(), ...asking }),
    data: answer({ total: count(), credentials: list(listedCredential) }),
  },
  'simulator.delete-credential': {
    method: 'DELETE',
    path: '/rps/{rp}/simulator/credentials/{id}',
    scope: 'workspace',
    summary: 'The RP deletes a credential of one of its users.',
    params: object({ rp: text('The RP’s id.'), id: text('The credential.') }),
    query: object({ user_id: text(), ...asking }),
    data: answer({ total: count('How many were deleted: 0 when there is no such credential.') }),
  },
} as const satisfies ControlRoutes

const exchange = object({ seq: text('The exchange’s number.', { pattern: '^[0-9]{1,15}$' }) })

/** They send a recorded request or answer again, edited, over HTTP and only to this bench. */
export const resendRoutes = {
  'events.resend': {
    method: 'POST',
    path: '/events/{seq}/resend',
    scope: 'workspace',
    summary: 'Sends an RP’s request again: as it was, edited, signed anew or wrong. It goes to this bench alone.',
    params: exchange,
    body: resending,
    // Every character of the longest body may be escaped.
    bodyLimit: 8 * RESEND_BODY_MAX,
    data: answer({
      seq: optional(count('The new exchange; absent where the request was refused before it was one.')),
      status: count('0 where no answer came.'),
      code: count(),
      unanswered: optional(coded('Why no answer came; the service may have carried the request out.')),
    }),
  },
  'events.answer': {
    method: 'POST',
    path: '/events/{seq}/answer',
    scope: 'workspace',
    summary:
      'Has a phone answer again, edited: the RP asks for a fresh registration or sign-in of the same user, the phone answers it with these edits, and the judge’s verdict is the answer.',
    params: exchange,
    body: object({
      edits: answerEdits,
      signing: optional(
        choice(
          [...ANSWER_SIGNINGS],
          '`anew` when absent: the phone’s key signs what was edited. `kept`: the phone signs its honest answer, which is edited then.',
        ),
      ),
      ...asking,
    }),
    bodyLimit: 1024 * 1024,
    data: answer({
      msg_id: text('Of the fresh registration or sign-in.'),
      seq: count('The exchange with the edited answer.'),
      code: count('Of the service’s answer to the phone.'),
      accepted: optional(verdictFields.accepted),
      failure: verdictFields.failure,
    }),
  },
} as const satisfies ControlRoutes
