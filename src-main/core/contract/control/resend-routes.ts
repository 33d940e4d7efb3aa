import { verdictFields } from '../judge/verdict.ts'
import { ANSWER_SIGNINGS, answerEdits, RESEND_BODY_MAX, resending } from '../resending.ts'
import { answer, choice, coded, count, object, optional, text } from '../schema.ts'
import type { ControlRoutes } from './route.ts'
import { asking } from './simulator-routes.ts'

const exchange = object({ seq: text('The exchange’s number.', { pattern: '^[0-9]{1,15}$' }) })

/** Edited and sent again. Over HTTP, to this bench alone. */
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
