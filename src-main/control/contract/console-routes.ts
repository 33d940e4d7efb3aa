import type { RouteTable } from './route.ts'
import {
  answer,
  choice,
  count,
  flag,
  list,
  millis,
  object,
  optional,
  orNull,
  secretText,
  shortText,
  text,
  whole,
} from './schema.ts'

export const rpState = answer({
  id: text('`rp_…`: how this interface and the events call the RP.'),
  name: text(),
  webauthn_rp_id: text('The RP ID of WebAuthn: a domain.'),
  origins: list(text()),
  created_at: millis('Workspace time.'),
})

export const accessKeyState = answer({
  id: text(),
  rp_id: text(),
  active: flag('A disabled key is refused like an unknown one.'),
  created_at: millis('Workspace time.'),
})

const MESSAGE_STATES = ['init', 'bind', 'success', 'fail', 'timeout'] as const
const CEREMONIES = ['registration', 'authentication'] as const

/** As it truly is, whatever the RP has read. */
export const messageState = answer({
  msg_id: text(),
  ceremony: choice([...CEREMONIES]),
  rp_id: text(),
  user_id: text(),
  username: text(),
  display_name: orNull(text()),
  credential_name: orNull(text()),
  method: orNull(choice(['qrcode', 'push'])),
  state: choice([...MESSAGE_STATES]),
  url: text(),
  created_at: millis('Workspace time.'),
  expires_at: millis('Workspace time.'),
  device_id: orNull(text('The device that scanned or opened it.')),
  svc_user: text(),
  error: text(),
  delivered: flag('Whether the RP has read the final result.'),
  credential_id: orNull(text()),
})

export const credentialState = answer({
  credential_id: text(),
  credential_name: text(),
  rp_id: text(),
  user_id: text(),
  username: text(),
  account_id: orNull(text()),
  device_id: orNull(text('The device it was made on.')),
  storage: choice(['chip', 'cloud']),
  algorithm: text('By COSE name.'),
  attestation_format: text(),
  aaguid: text(),
  sign_count: count(),
  created_at: millis('Workspace time.'),
  updated_at: millis('Workspace time of the latest use.'),
})

export const accountState = answer({
  id: text(),
  name: text(),
  phone: text('As the service shows it: `138****5678`.'),
  open: flag('Made without a proof: anybody may sign in to it, and it has no vault.'),
  created_at: millis('Workspace time.'),
  devices: list(
    answer({
      id: text(),
      name: text(),
      connected: flag('Its inbox is open.'),
      signed_in_at: millis('Workspace time.'),
    }),
  ),
})

export const rootState = answer({
  id: text(),
  subject: text(),
  own: flag('The bench’s own root, under which its phones attest.'),
  not_before: millis(),
  not_after: millis(),
  sha256: text('Fingerprint, lower-case hex.'),
})

const rpId = object({ rp_id: text('The RP.') })
const keyId = object({ rp_id: text('The RP.'), key_id: text('The access key.') })
const origins = list(text('An origin such as https://shop.example.'), { maxItems: 32 })
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
    body: object({ name: shortText(), webauthn_rp_id: rpDomain, origins: optional(origins) }),
    data: rpState,
  },
  'rps.get': {
    method: 'GET',
    path: '/rps/{rp_id}',
    scope: 'workspace',
    summary: 'One relying party.',
    params: rpId,
    data: rpState,
  },
  'rps.patch': {
    method: 'PATCH',
    path: '/rps/{rp_id}',
    scope: 'workspace',
    summary: 'Changes a relying party.',
    params: rpId,
    body: object({ name: optional(shortText()), webauthn_rp_id: optional(rpDomain), origins: optional(origins) }),
    data: rpState,
  },
  'rps.delete': {
    method: 'DELETE',
    path: '/rps/{rp_id}',
    scope: 'workspace',
    summary: 'Removes a relying party with its keys, messages and credentials.',
    params: rpId,
    data: answer({}),
  },
  'keys.list': {
    method: 'GET',
    path: '/rps/{rp_id}/keys',
    scope: 'workspace',
    summary: 'An RP’s access keys, without their secrets.',
    params: rpId,
    data: answer({ keys: list(accessKeyState) }),
  },
  'keys.create': {
    method: 'POST',
    path: '/rps/{rp_id}/keys',
    scope: 'workspace',
    summary: 'Makes an access key. The answer holds its secret.',
    params: rpId,
    body: object({
      id: optional(text('Drawn when absent.', { pattern: '^[A-Za-z0-9._~-]{1,128}$' })),
      secret: optional(secretText('Drawn when absent.', { minLength: 1, maxLength: 256 })),
    }),
    data: answer({ key: accessKeyState, secret: text() }),
  },
  'keys.reveal': {
    method: 'POST',
    path: '/rps/{rp_id}/keys/{key_id}/reveal',
    scope: 'workspace',
    summary: 'Shows an access key’s secret.',
    params: keyId,
    body: object({}),
    data: answer({ secret: text() }),
  },
  'keys.patch': {
    method: 'PATCH',
    path: '/rps/{rp_id}/keys/{key_id}',
    scope: 'workspace',
    summary: 'Disables or enables an access key.',
    params: keyId,
    body: object({ active: flag() }),
    data: accessKeyState,
  },
  'keys.delete': {
    method: 'DELETE',
    path: '/rps/{rp_id}/keys/{key_id}',
    scope: 'workspace',
    summary: 'Removes an access key.',
    params: keyId,
    data: answer({}),
  },
  'messages.list': {
    method: 'GET',
    path: '/messages',
    scope: 'workspace',
    summary: 'The messages as they truly are, newest first.',
    query: object({
      rp_id: optional(text()),
      user_id: optional(text()),
      state: optional(choice([...MESSAGE_STATES])),
      limit: optional(whole('100 when absent.', { minimum: 1, maximum: 1000 })),
    }),
    data: answer({ messages: list(messageState) }),
  },
  'messages.get': {
    method: 'GET',
    path: '/messages/{msg_id}',
    scope: 'workspace',
    summary: 'One message as it truly is.',
    params: object({ msg_id: text('The message.') }),
    data: messageState,
  },
  'credentials.list': {
    method: 'GET',
    path: '/credentials',
    scope: 'workspace',
    summary: 'The credentials, oldest first.',
    query: object({ rp_id: optional(text()), user_id: optional(text()) }),
    data: answer({ credentials: list(credentialState) }),
  },
  'credentials.delete': {
    method: 'DELETE',
    path: '/credentials/{credential_id}',
    scope: 'workspace',
    summary: 'Removes a credential from the service; the phone that holds it is not told.',
    params: object({ credential_id: text('The credential.') }),
    data: answer({}),
  },
  'accounts.list': {
    method: 'GET',
    path: '/accounts',
    scope: 'workspace',
    summary: 'The accounts of the app, with their signed-in devices.',
    data: answer({ accounts: list(accountState) }),
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
    body: object({ pem: text('One certificate.', { maxLength: 65_536 }) }),
    data: rootState,
  },
  'roots.delete': {
    method: 'DELETE',
    path: '/roots/{id}',
    scope: 'workspace',
    summary: 'Trusts a root no longer. The bench’s own stays.',
    params: object({ id: text('The root.') }),
    data: answer({}),
  },
  'roots.export': {
    method: 'GET',
    path: '/roots/own',
    scope: 'workspace',
    summary: 'The bench’s own root, for verifiers elsewhere.',
    data: answer({ pem: text() }),
  },
} as const satisfies RouteTable
