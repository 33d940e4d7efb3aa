import { MESSAGE_STATES } from '../../protocol/message-state.ts'
import { secondOpinion, verdictFields } from '../judge/verdict.ts'
import { answer, anything, choice, described, list, millis, object, optional, text, whole } from '../schema.ts'
import type { ControlRoutes } from './route.ts'

export const messageVerdict = answer({
  ...verdictFields,
  second_opinion: optional(
    described(
      secondOpinion,
      'Absent when the profile switches it off, and when the ceremony was forgotten before it was formed.',
    ),
  ),
  response: anything('The response that was judged, as the phone sent it.'),
})

/** The true state, independent of what the RP has read. */
export const messageState = answer({
  id: text(),
  rp: text(),
  kind: choice(['registration', 'authentication']),
  method: optional(choice(['qrcode', 'push'])),
  url: text(),
  user_id: text(),
  username: text(),
  display_name: text(),
  credential_name: text(),
  state: choice(MESSAGE_STATES),
  svc_user: text(),
  error: text('Why it failed: a machine word, or what the phone gave as its reason.'),
  device: optional(text('The device that scanned or opened it.')),
  credential_id: optional(text()),
  created_at: millis('Workspace time.'),
  expires_at: millis('Workspace time.'),
  delivered_at: optional(millis('When the RP first read the final result, workspace time.')),
  public_key: optional(anything('What the phone was given, once it is bound.')),
  verdict: optional(messageVerdict),
})

const messageId = object({ id: text('The message.') })

/** The messages as the service has them, independent of what was delivered. */
export const messageRoutes = {
  'messages.list': {
    method: 'GET',
    path: '/messages',
    scope: 'workspace',
    summary: 'The messages as they truly are, newest first.',
    query: object({
      rp: optional(text()),
      user_id: optional(text()),
      state: optional(choice(MESSAGE_STATES)),
      limit: optional(whole('100 when absent.', { minimum: 1, maximum: 1000 })),
    }),
    data: answer({ messages: list(messageState) }),
  },
  'messages.get': {
    method: 'GET',
    path: '/messages/{id}',
    scope: 'workspace',
    summary: 'One message as it truly is.',
    params: messageId,
    data: messageState,
  },
  'messages.expire': {
    method: 'POST',
    path: '/messages/{id}/expire',
    scope: 'workspace',
    summary: 'Ends one message that is under way, as if its time had come. The clock stays, and so do the others.',
    params: messageId,
    body: object({}),
    data: messageState,
  },
} as const satisfies ControlRoutes
