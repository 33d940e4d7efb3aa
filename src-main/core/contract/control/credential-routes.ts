import { MESSAGE_STATES } from '../../protocol/message-state.ts'
import { secondOpinion, verdictFields } from '../judge/verdict.ts'
import * as t from '../schema.ts'
import { type ControlRoutes, del, get, post } from './route.ts'

export const credentialState = t.answer({
  id: t.text(),
  rp: t.text(),
  user_id: t.text(),
  name: t.text(),
  storage: t.choice(['chip', 'cloud']),
  account: t.text(),
  device: t.text('The device it was made on.'),
  public_key: t.text('COSE_Key, base64url.'),
  algorithm: t.whole('COSE algorithm number.'),
  counter: t.count(),
  aaguid: t.text(),
  attestation_format: t.text(),
  transports: t.list(t.text()),
  backup_eligible: t.flag(),
  backup_state: t.flag(),
  user_verified: t.flag(),
  created_at: t.millis('Workspace time.'),
  updated_at: t.millis('Workspace time of the latest use.'),
})

export const credentialRoutes = {
  'credentials.list': get('/credentials', 'The credentials, oldest first.', {
    query: t.partial({ rp: t.text(), user_id: t.text() }),
    data: t.answer({ credentials: t.list(credentialState) }),
  }),
  'credentials.delete': del(
    '/credentials/{id}',
    'Removes a credential from the service; the account’s phones get a signal.',
    { params: t.object({ id: t.text('The credential.') }) },
  ),
  'credentials.undelete': post(
    '/credentials/{id}/undelete',
    `Takes a deletion back, whoever deleted: one of the last ${t.MAX_DELETIONS}.`,
    { params: t.object({ id: t.text('The credential.') }), data: credentialState },
  ),
} as const satisfies ControlRoutes

export const rootState = t.answer({
  id: t.text(),
  name: t.text(),
  certificate: t.text('DER, base64.'),
  subject: t.text(),
  not_before: t.decimal(),
  not_after: t.decimal(),
  created_at: t.millis('Workspace time.'),
})

const rootId = t.object({ id: t.text('The root.') })

export const rootRoutes = {
  'roots.list': get('/roots', 'The roots that attestation may lead to.', {
    data: t.answer({ roots: t.list(rootState) }),
  }),
  'roots.add': post('/roots', 'Trusts one more root.', {
    body: t.object({ name: t.shortText(), certificate: t.text('PEM, or base64 of the DER.', { maxLength: 65_536 }) }),
    bodyLimit: 128 * 1024,
    data: rootState,
  }),
  'roots.delete': del('/roots/{id}', 'Trusts a root no longer.', { params: rootId }),
  'roots.undelete': post('/roots/{id}/undelete', `Trusts a root again: one of the last ${t.MAX_DELETIONS} deletions.`, {
    params: rootId,
    data: rootState,
  }),
  'roots.export': get('/roots/own', 'The bench’s own root, for verifiers elsewhere.', {
    data: t.answer({ pem: t.text() }),
  }),
} as const satisfies ControlRoutes

export const messageVerdict = t.answer({
  ...verdictFields,
  second_opinion: t.optional(
    t.described(
      secondOpinion,
      'Absent when the profile switches it off, and when the ceremony was forgotten before it was formed.',
    ),
  ),
  response: t.anything('The response that was judged, as the phone sent it.'),
})

/** The true state, independent of what the RP has read. */
export const messageState = t.answer({
  id: t.text(),
  rp: t.text(),
  kind: t.choice(['registration', 'authentication']),
  method: t.optional(t.choice(['qrcode', 'push'])),
  url: t.text(),
  user_id: t.text(),
  username: t.text(),
  display_name: t.text(),
  credential_name: t.text(),
  state: t.choice(MESSAGE_STATES),
  svc_user: t.text(),
  error: t.text('Why it failed: a machine word, or what the phone gave as its reason.'),
  device: t.optional(t.text('The device that scanned or opened it.')),
  credential_id: t.optional(t.text()),
  created_at: t.millis('Workspace time.'),
  expires_at: t.millis('Workspace time.'),
  delivered_at: t.optional(t.millis('When the RP first read the final result, workspace time.')),
  public_key: t.optional(t.anything('What the phone was given, once it is bound.')),
  verdict: t.optional(messageVerdict),
})

const messageId = t.object({ id: t.text('The message.') })

export const messageRoutes = {
  'messages.list': get('/messages', 'The messages as they truly are, newest first.', {
    query: t.partial({
      rp: t.text(),
      user_id: t.text(),
      state: t.choice(MESSAGE_STATES),
      limit: t.whole('100 when absent.', { minimum: 1, maximum: 1000 }),
    }),
    data: t.answer({ messages: t.list(messageState) }),
  }),
  'messages.get': get('/messages/{id}', 'One message as it truly is.', { params: messageId, data: messageState }),
  'messages.expire': post(
    '/messages/{id}/expire',
    'Ends one message that is under way, as if its time had come. The clock stays, and so do the others.',
    { params: messageId, data: messageState },
  ),
} as const satisfies ControlRoutes
