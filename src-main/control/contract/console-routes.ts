import { ACCESS_KEY_ID, SECRET_KEY } from '../../protocol/access-key.ts'
import type { RouteTable } from './route.ts'
import {
  answer,
  anything,
  choice,
  count,
  decimal,
  flag,
  list,
  millis,
  object,
  optional,
  secretText,
  shortText,
  text,
  whole,
} from './schema.ts'

export const rpState = answer({
  id: text('`rp_…`: how this interface and the events call the RP.'),
  name: text(),
  rp_id: text('The RP ID of WebAuthn: a domain.'),
  origins: list(text()),
  created_at: millis('Workspace time.'),
})

export const accessKeyState = answer({
  id: text(),
  rp: text(),
  state: choice(['active', 'disabled'], 'A disabled key is refused like an unknown one.'),
  created_at: millis('Workspace time.'),
  last_used_at: optional(millis('Workspace time; absent until a request was verified with it.')),
})

const MESSAGE_STATES = ['init', 'bind', 'success', 'fail', 'timeout'] as const

const judgedStep = answer({
  id: text(),
  title: text(),
  outcome: choice(['passed', 'failed', 'skipped']),
  expected: optional(text()),
  received: optional(text()),
  note: optional(text()),
  at: optional(answer({ part: text(), start: count(), end: count() })),
})

const verdict = answer({
  accepted: flag(),
  failure: optional(answer({ word: text(), sentence: text(), step: text() })),
  steps: list(judgedStep),
  second_opinion: answer({ heard: flag(), accepts: optional(flag()), reason: optional(text()) }),
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
  state: choice([...MESSAGE_STATES]),
  svc_user: text(),
  error: text(),
  device: optional(text('The device that scanned or opened it.')),
  credential_id: optional(text()),
  created_at: millis('Workspace time.'),
  expires_at: millis('Workspace time.'),
  delivered_at: optional(millis('When the RP first read the final result, workspace time.')),
  public_key: optional(anything('What the phone was given, once it is bound.')),
  verdict: optional(verdict),
})

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

export const accountState = answer({
  id: text(),
  name: text(),
  phone: text(),
  protected: flag('Made with a proof: only those who know its secret sign in to it, and it has a vault.'),
  created_at: millis('Workspace time.'),
})

export const deviceState = answer({
  id: text(),
  account: text(),
  name: text(),
  connected: flag('Its inbox is open.'),
  created_at: millis('Workspace time.'),
})

export const rootState = answer({
  id: text(),
  name: text(),
  certificate: text('DER, base64.'),
  subject: text(),
  not_before: decimal(),
  not_after: decimal(),
  created_at: millis('Workspace time.'),
})

const rp = object({ rp: text('The RP’s id.') })
const keyId = object({ rp: text('The RP’s id.'), key: text('The access key’s id.') })
const origins = list(text('An origin such as https://shop.example.'), {
  minItems: 1,
  maxItems: 32,
  description: 'When absent, https:// and the RP ID; for localhost the address of the bench.',
})
const rpDomain = text('A domain such as shop.example.', { minLength: 1, maxLength: 253 })

export const consoleRoutes = {
  'rps.list': {
    method: 'GET',
    path: '/rps',
    scope: 'workspace',
    summary: 'The relying parties.',
    data: answer({ rps: list(rpState) }),
  },
  'rps.create': {
    method: 'POST',
    path: '/rps',
    scope: 'workspace',
    summary: 'Adds a relying party.',
    body: object({ name: shortText(), rp_id: rpDomain, origins: optional(origins) }),
    data: rpState,
  },
  'rps.get': {
    method: 'GET',
    path: '/rps/{rp}',
    scope: 'workspace',
    summary: 'One relying party.',
    params: rp,
    data: rpState,
  },
  'rps.patch': {
    method: 'PATCH',
    path: '/rps/{rp}',
    scope: 'workspace',
    summary: 'Changes a relying party.',
    params: rp,
    body: object({ name: optional(shortText()), rp_id: optional(rpDomain), origins: optional(origins) }),
    data: rpState,
  },
  'rps.delete': {
    method: 'DELETE',
    path: '/rps/{rp}',
    scope: 'workspace',
    summary: 'Removes a relying party with its keys, messages and credentials.',
    params: rp,
    data: answer({}),
  },
  'keys.list': {
    method: 'GET',
    path: '/rps/{rp}/keys',
    scope: 'workspace',
    summary: 'An RP’s access keys, without their secrets.',
    params: rp,
    data: answer({ keys: list(accessKeyState) }),
  },
  'keys.create': {
    method: 'POST',
    path: '/rps/{rp}/keys',
    scope: 'workspace',
    summary: 'Makes an access key. The answer holds its secret.',
    params: rp,
    body: object({
      id: optional(text('Drawn when absent.', ACCESS_KEY_ID)),
      secret: optional(secretText('Drawn when absent.', SECRET_KEY)),
    }),
    data: answer({ key: accessKeyState, secret: text() }),
  },
  'keys.reveal': {
    method: 'POST',
    path: '/rps/{rp}/keys/{key}/reveal',
    scope: 'workspace',
    summary: 'Shows an access key’s secret.',
    params: keyId,
    body: object({}),
    data: answer({ secret: text() }),
  },
  'keys.patch': {
    method: 'PATCH',
    path: '/rps/{rp}/keys/{key}',
    scope: 'workspace',
    summary: 'Disables or enables an access key.',
    params: keyId,
    body: object({ state: choice(['active', 'disabled']) }),
    data: accessKeyState,
  },
  'keys.delete': {
    method: 'DELETE',
    path: '/rps/{rp}/keys/{key}',
    scope: 'workspace',
    summary: 'Removes an access key: requests signed with it are refused from now on.',
    params: keyId,
    data: answer({}),
  },
  'keys.undelete': {
    method: 'POST',
    path: '/rps/{rp}/keys/{key}/undelete',
    scope: 'workspace',
    summary: 'Takes the deletion of an access key back, with its secret and its state: one of the last 20.',
    params: keyId,
    body: object({}),
    data: accessKeyState,
  },
  'messages.list': {
    method: 'GET',
    path: '/messages',
    scope: 'workspace',
    summary: 'The messages as they truly are, newest first.',
    query: object({
      rp: optional(text()),
      user_id: optional(text()),
      state: optional(choice([...MESSAGE_STATES])),
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
    summary: 'Takes a deletion back, whoever deleted: one of the last 20.',
    params: object({ id: text('The credential.') }),
    body: object({}),
    data: credentialState,
  },
  'accounts.list': {
    method: 'GET',
    path: '/accounts',
    scope: 'workspace',
    summary: 'The accounts of the app.',
    data: answer({ accounts: list(accountState) }),
  },
  'devices.list': {
    method: 'GET',
    path: '/devices',
    scope: 'workspace',
    summary: 'The signed-in devices: the virtual phones and any others.',
    data: answer({ devices: list(deviceState) }),
  },
  'devices.sign-out': {
    method: 'DELETE',
    path: '/devices/{id}',
    scope: 'workspace',
    summary: 'Signs a device out; its token is dead from then on.',
    params: object({ id: text('The device.') }),
    data: answer({}),
  },
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
    data: rootState,
  },
  'roots.delete': {
    method: 'DELETE',
    path: '/roots/{id}',
    scope: 'workspace',
    summary: 'Trusts a root no longer.',
    params: object({ id: text('The root.') }),
    data: answer({}),
  },
  'roots.undelete': {
    method: 'POST',
    path: '/roots/{id}/undelete',
    scope: 'workspace',
    summary: 'Trusts a root again: one of the last 20 deletions.',
    params: object({ id: text('The root.') }),
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
} as const satisfies RouteTable
