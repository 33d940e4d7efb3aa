import { MESSAGE_STATES } from '../../protocol/message-state.ts'
import { secondOpinion, verdictFields } from '../judge/verdict.ts'
import {
  answer,
  anything,
  choice,
  count,
  decimal,
  described,
  flag,
  list,
  MOST_DELETIONS,
  millis,
  object,
  optional,
  shortText,
  text,
  whole,
} from '../schema.ts'
import type { ControlRoutes } from './route.ts'

export const credentialState = answer({
  id: text(),
  rp: text(),
  user_id: text(),
  name: text(),
  storage: choice(['chip', 'cloud']),
  account: text(),
  device: text('The device it was made on.'),
  public_key: text('COSE_Key, base64url.'),
  algorithm: whole('COSE algorithm number.'),
  counter: count(),
  aaguid: text(),
  attestation_format: text(),
  transports: list(text()),
  backup_eligible: flag(),
  backup_state: flag(),
  user_verified: flag(),
  created_at: millis('Workspace time.'),
  updated_at: millis('Workspace time of the latest use.'),
})

export const credentialRoutes = {
  'credentials.list': {
    method: 'GET',
    path: '/credentials',
    scope: 'workspace',
    summary: 'The credentials, oldest first.',
    query: object({ rp: optional(text()), user_id: optional(text()) }),
    data: answer({ credentials: list(credentialState) }),
  },
  'credentials.delete': {
    method: 'DELETE',
    path: '/credentials/{id}',
    scope: 'workspace',
    summary: 'Removes a credential from the service; the phone that holds it is not told.',
    params: object({ id: text('The credential.') }),
    data: answer({}),
  },
  'credentials.undelete': {
    method: 'POST',
    path: '/credentials/{id}/undelete',
    scope: 'workspace',
    summary: `Takes a deletion back, whoever deleted: one of the last ${MOST_DELETIONS}.`,
    params: object({ id: text('The credential.') }),
    body: object({}),
    data: credentialState,
  },
} as const satisfies ControlRoutes

export const rootState = answer({
  id: text(),
  name: text(),
  certificate: text('DER, base64.'),
  subject: text(),
  not_before: decimal(),
  not_after: decimal(),
  created_at: millis('Workspace time.'),
})

const rootId = object({ id: text('The root.') })

export const rootRoutes = {
  'roots.list': {
    method: 'GET',
    path: '/roots',
    scope: 'workspace',
    summary: 'The roots that attestation may lead to.',
    data: answer({ roots: list(rootState) }),
  },
  'roots.add': {
    method: 'POST',
    path: '/roots',
    scope: 'workspace',
    summary: 'Trusts one more root.',
    body: object({ name: shortText(), certificate: text('PEM, or base64 of the DER.', { maxLength: 65_536 }) }),
    bodyLimit: 128 * 1024,
    data: rootState,
  },
  'roots.delete': {
    method: 'DELETE',
    path: '/roots/{id}',
    scope: 'workspace',
    summary: 'Trusts a root no longer.',
    params: rootId,
    data: answer({}),
  },
  'roots.undelete': {
    method: 'POST',
    path: '/roots/{id}/undelete',
    scope: 'workspace',
    summary: `Trusts a root again: one of the last ${MOST_DELETIONS} deletions.`,
    params: rootId,
    body: object({}),
    data: rootState,
  },
  'roots.export': {
    method: 'GET',
    path: '/roots/own',
    scope: 'workspace',
    summary: 'The bench’s own root, for verifiers elsewhere.',
    data: answer({ pem: text() }),
  },
} as const satisfies ControlRoutes

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
