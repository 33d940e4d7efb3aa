import { MESSAGE_STATES } from '../../protocol/message-state.ts'
import type { JudgedFailure, JudgedStep } from '../events.ts'
import {
  answer,
  anything,
  choice,
  count,
  dictionary,
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
import type { ControlRoutes } from './route.ts'

const words = answer({ code: text(), params: optional(dictionary()) })
const evidence = either(text(), words)

const judged = {
  outcome: choice(['passed', 'failed', 'skipped']),
  word: optional(text('Why it failed.')),
  expected: optional(evidence),
  received: optional(evidence),
  at: optional(answer({ part: text(), start: count(), end: count() })),
}

const judgedStep = typed<JudgedStep>(
  answer({
    id: text('The section and number in WebAuthn Level 3.'),
    ...judged,
    note: optional(text()),
    checks: optional(list(answer({ check: optional(text()), ...judged }))),
  }),
)

const judgedFailure = typed<JudgedFailure>(answer({ word: text(), step: text() }))

const verdict = answer({
  accepted: flag(),
  failure: optional(judgedFailure),
  steps: list(judgedStep),
  second_opinion: optional(
    answer(
      {
        heard: flag(),
        accepts: optional(flag()),
        reason: optional(text()),
        disagrees: optional(flag('It was asked, and says otherwise than the judge.')),
      },
      {
        description:
          'Absent when the profile switches it off, and when the ceremony was forgotten before it was formed.',
      },
    ),
  ),
  response: optional(anything('The response that was judged, as the phone sent it.')),
})

/** As it truly is, whatever the RP has read. */
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
  verdict: optional(verdict),
})

/** The messages as the service has them, whatever was delivered. */
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
    params: object({ id: text('The message.') }),
    data: messageState,
  },
} as const satisfies ControlRoutes
