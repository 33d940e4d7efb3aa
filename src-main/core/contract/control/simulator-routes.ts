import { verdictFields } from '../judge/verdict.ts'
import { ANSWER_SIGNINGS, answerEdits, RESEND_BODY_MAX, resendRequest } from '../resending.ts'
import { RP_CARES, RP_DOUBTS, RP_VERDICTS } from '../rp-care.ts'
import * as t from '../schema.ts'
import { type ControlRoutes, del, get, patch, post } from './route.ts'

/** The simulated RP's view of one of its requests: only what it read over signed HTTP. */
export const attemptState = t.answer({
  msg_id: t.text(),
  rp: t.text(),
  ceremony: t.choice(['registration', 'authentication']),
  method: t.orNull(t.choice(['qrcode', 'push'])),
  user_id: t.text(),
  username: t.text(),
  url: t.text('What the RP turns into a QR code.'),
  expires_at: t.count('Unix seconds.'),
  started_at: t.millis('Workspace time.'),
  status: t.choice(['init', 'bind', 'success', 'fail', 'timeout'], 'As last read.'),
  svc_user: t.text(),
  error: t.text(),
  verified_user_id: t.text('The user_id of a successful sign-in.'),
  polls: t.count('How often the result was asked for.'),
  polling: t.flag('Whether it is being asked for by itself.'),
  refusal: t.orNull(t.answer({ code: t.count(), error: t.text() })),
  care: t.choice(RP_CARES, 'As it was when the request began.'),
  made: t.choice(RP_VERDICTS, 'What the RP made of the answers: it may refuse what the service calls a success.'),
  account: t.text('Whose account the RP shows since; empty while it shows nobody’s.'),
  doubt: t.orNull(t.choice(RP_DOUBTS, 'Why it refused.')),
})

const manner = t.answer({ care: t.choice(RP_CARES, '`careful` as long as nobody changes it.') })

const rp = t.object({ rp: t.text('The RP’s id.') })
const attempt = t.object({ rp: t.text('The RP’s id.'), msg_id: t.text('The message.') })

const listedCredential = t.answer({
  credential_id: t.text(),
  credential_name: t.text(),
  user_id: t.text(),
  created_at: t.text('By the workspace’s clock.'),
  updated_at: t.text(),
})

/** Name in the events for a caller that gives none. */
export const UNNAMED_CALLER = 'control'

const askedBy = {
  asked_by: t.text('A word of the caller’s own. It stands in the events of these calls, `control` when absent.', {
    pattern: '^[\\w-]{1,64}$',
  }),
}

const askedByField = t.allOptional(askedBy)

const user = { user_id: t.text(), username: t.text() }

const asking = t.allOptional({
  poll: t.flag('Ask for the result until it is final; true when absent.'),
  interval_ms: t.duration('Real time between two polls; 1000 when absent.', 60_000),
  form: t.choice(
    ['general', 'short'],
    'The form of the Authorization header; when absent general, where the profile accepts it.',
  ),
  ...askedBy,
})

/** The RP simulator signs and speaks HTTP to the service like any RP. A refusal of the service is passed on. */
export const simulatorRoutes = {
  'simulator.get': get('/rps/{rp}/simulator', 'How far the RP simulator believes the service.', {
    params: rp,
    data: manner,
  }),
  'simulator.patch': patch(
    '/rps/{rp}/simulator',
    'Makes the RP simulator careful or careless, from its next request on. It is careful again after a reset or a restart.',
    { params: rp, body: t.object({ care: t.choice(RP_CARES) }), data: manner },
  ),
  'simulator.register': post('/rps/{rp}/simulator/register', 'The RP asks for a registration.', {
    params: rp,
    body: t.object({ ...user, ...t.allOptional({ display_name: t.text(), credential_name: t.text() }), ...asking }),
    data: attemptState,
  }),
  'simulator.sign-in': post('/rps/{rp}/simulator/sign-in', 'The RP asks for a sign-in.', {
    params: rp,
    body: t.object({ ...user, method: t.choice(['qrcode', 'push']), ...asking }),
    data: attemptState,
  }),
  'simulator.attempt': get('/rps/{rp}/simulator/attempts/{msg_id}', 'One of the RP’s requests.', {
    params: attempt,
    data: attemptState,
  }),
  'simulator.poll': post('/rps/{rp}/simulator/attempts/{msg_id}/poll', 'The RP asks for the result once, now.', {
    params: attempt,
    data: attemptState,
  }),
  'simulator.credentials': get(
    '/rps/{rp}/simulator/credentials',
    'The RP asks for the credentials of one of its users, as signed as everything else.',
    {
      params: rp,
      query: t.object({ user_id: t.text(), ...askedByField }),
      data: t.answer({ total: t.count(), credentials: t.list(listedCredential) }),
    },
  ),
  'simulator.delete-credential': del(
    '/rps/{rp}/simulator/credentials/{id}',
    'The RP deletes a credential of one of its users.',
    {
      params: t.object({ rp: t.text('The RP’s id.'), id: t.text('The credential.') }),
      query: t.object({ user_id: t.text(), ...askedByField }),
      data: t.answer({ total: t.count('How many were deleted: 0 when there is no such credential.') }),
    },
  ),
} as const satisfies ControlRoutes

const exchange = t.object({ seq: t.text('The exchange’s number.', { pattern: '^[0-9]{1,15}$' }) })

/** Calls that resend a recorded request or answer over HTTP, with edits if any, and only to this bench. */
export const resendRoutes = {
  'events.resend': post(
    '/events/{seq}/resend',
    'Sends an RP’s request again: as it was, edited, signed anew or wrong. It goes to this bench alone.',
    {
      params: exchange,
      body: resendRequest,
      // Every character of the longest body may be escaped.
      bodyLimit: 8 * RESEND_BODY_MAX,
      data: t.answer({
        seq: t.optional(t.count('The new exchange; absent where the request was refused before it was one.')),
        status: t.count('0 where no answer came.'),
        code: t.count(),
        unanswered: t.optional(t.coded('Why no answer came; the service may have carried the request out.')),
      }),
    },
  ),
  'events.answer': post(
    '/events/{seq}/answer',
    'Has a phone answer again, edited: the RP asks for a fresh registration or sign-in of the same user, the phone answers it with these edits, and the judge’s verdict is the answer.',
    {
      params: exchange,
      body: t.object({
        edits: answerEdits,
        signing: t.optional(
          t.choice(
            ANSWER_SIGNINGS,
            '`anew` when absent: the phone’s key signs what was edited. `kept`: the phone signs its honest answer, which is edited then.',
          ),
        ),
        ...askedByField,
      }),
      bodyLimit: 1024 * 1024,
      data: t.answer({
        msg_id: t.text('Of the fresh registration or sign-in.'),
        seq: t.count('The exchange with the edited answer.'),
        code: t.count('Of the service’s answer to the phone.'),
        accepted: t.optional(verdictFields.accepted),
        failure: verdictFields.failure,
      }),
    },
  ),
} as const satisfies ControlRoutes
