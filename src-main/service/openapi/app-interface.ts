import { appRoutes } from '../app/app-routes.ts'
import type { Interface } from './document.ts'
import type { Operation, Parameter } from './operation.ts'
import { anyObject, integer, listOf, object, optionalText, text } from './schema.ts'

const rp = { id: text('The RP ID.'), name: text('For display.') }
const expiresAt = integer('Unix seconds.')
const status = text('How the message stands now.', { enum: ['bind', 'success', 'fail', 'timeout'] })
const answer = object({ status, error: text('A stable machine word, a colon, a sentence; empty on success.') })

const sealed = text('What the phone sealed, base64url without padding.', { pattern: '^[A-Za-z0-9_-]+$' })
const etag = text('The version, with its quotes, as If-Match wants it.')
const entry = object({ credential_id: text('Base64url.'), etag, sealed })

const ifMatch: Parameter = {
  name: 'If-Match',
  description: 'The version that is replaced, or `*`.',
  schema: { type: 'string' },
}

const BODY = ['malformed_json', 'invalid_parameter', 'missing_parameter', 'not_json', 'body_too_large'] as const
const MESSAGE = ['message_not_found', 'bound_elsewhere', 'wrong_state', 'message_expired'] as const
const ANSWER = [...BODY, ...MESSAGE, 'answered_differently'] as const

export const appOperations: Readonly<Record<string, Operation>> = {
  'devices.sign_in': {
    summary: 'Sign a phone in',
    description:
      'Makes the account on first use; an account is its phone number. A proof given then is wanted ever after. An account made without one is open and has no vault.',
    open: true,
    body: object(
      {
        account: object(
          {
            name: text('For display.', { minLength: 1, maxLength: 128 }),
            phone: text('3 to 20 digits, with or without +; spaces, dots, hyphens and parentheses are not minded.'),
            proof: optionalText('Derived from the account’s secret, which never comes here.', { maxLength: 256 }),
          },
          { optional: ['proof'], closed: false },
        ),
        device_name: text('For display.', { minLength: 1, maxLength: 128 }),
      },
      { closed: false },
    ),
    data: object({ device_id: text('`dev_…`'), device_token: text('The bearer token of all other calls.') }),
    errors: [...BODY, 'device_not_signed_in'],
  },
  'devices.sign_out': {
    summary: 'Sign this phone out',
    description: 'The token is dead from then on.',
    data: object({ deleted: { type: 'boolean' } }),
    errors: [],
  },
  'messages.bind': {
    summary: 'Take a message that was scanned or pushed',
    description: 'The first device has it; the same one again is harmless.',
    body: anyObject('Empty.'),
    data: object({
      kind: text('Which ceremony.', { enum: ['registration', 'authentication'] }),
      rp: object({ ...rp, origins: listOf(text('An origin that the RP expects.')) }),
      user: object({ username: text('For display.'), display_name: text('For display.') }),
      credential_name: text('What the new credential will be called; empty for authentications.'),
      expires_at: expiresAt,
      public_key: anyObject(
        'PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON of WebAuthn Level 3.',
      ),
    }),
    errors: [...BODY, ...MESSAGE],
  },
  'messages.attestation': {
    summary: 'Answer a registration',
    description:
      'Anything inside `response` is judged and final; the identical answer again gets the first verdict again.',
    body: object(
      {
        response: anyObject('RegistrationResponseJSON of WebAuthn Level 3.'),
        storage: optionalText('Where the user keeps the credential; `chip` when absent.', { enum: ['chip', 'cloud'] }),
      },
      { optional: ['storage'], closed: false },
    ),
    data: answer,
    errors: ANSWER,
  },
  'messages.assertion': {
    summary: 'Answer an authentication',
    description:
      'Anything inside `response` is judged and final; the identical answer again gets the first verdict again.',
    body: object({ response: anyObject('AuthenticationResponseJSON of WebAuthn Level 3.') }, { closed: false }),
    data: answer,
    errors: ANSWER,
  },
  'messages.reject': {
    summary: 'Reject a message',
    body: object(
      {
        reason: optionalText(
          'A machine word such as `no_matching_credential`, or free words; `user_rejected` when absent.',
          {
            maxLength: 200,
          },
        ),
      },
      { optional: ['reason'], closed: false },
    ),
    data: object({ status }),
    errors: ANSWER,
  },
  inbox: {
    summary: 'Pushes as server-sent events',
    description:
      'One `message` event per push. What was missed comes first: with Last-Event-ID what came after that, without it every push whose message is still open. A comment every 15 s keeps it alive.',
    headers: [
      { name: 'Last-Event-ID', description: 'The id of the last event that was read.', schema: { type: 'string' } },
    ],
    events: object({
      msg_id: text('The message.'),
      url: text('Its address, as a QR code would have it.'),
      rp: object(rp),
      expires_at: expiresAt,
    }),
    errors: [],
  },
  'vault.list': {
    summary: 'All sealed credentials of the account, oldest first',
    data: object({ total: integer('The length of the list.'), list: listOf(entry) }),
    errors: ['not_found'],
  },
  'vault.put': {
    summary: 'Keep a sealed credential',
    headers: [
      ifMatch,
      { name: 'If-None-Match', description: '`*`: only where there is none yet.', schema: { type: 'string' } },
    ],
    body: object({ sealed }, { closed: false }),
    data: object({ credential_id: text('Base64url.'), etag }),
    errors: [...BODY, 'conflicting_parameters', 'not_found', 'precondition_failed', 'precondition_required'],
  },
  'vault.get': {
    summary: 'Get a sealed credential',
    data: entry,
    errors: ['invalid_parameter', 'not_found'],
  },
  'vault.delete': {
    summary: 'Delete a sealed credential',
    headers: [ifMatch],
    data: object({ deleted: { type: 'boolean' } }),
    errors: ['invalid_parameter', 'conflicting_parameters', 'not_found', 'precondition_failed'],
  },
}

export const appInterface: Interface = {
  title: 'Handset: the app interface',
  description:
    'What a phone calls. Anyone may write their own phone against it. Every response is `{code, data, error}`; code is 0 on success. A profile may make every HTTP status 200.',
  routes: appRoutes,
  operations: appOperations,
  parameters: {
    msg_id: 'The message ID: the text after `#` of the message address, without its first character.',
    credential_id: 'The credential ID, base64url; 1 to 1,023 bytes.',
  },
  errors: [
    'malformed_request',
    'device_not_signed_in',
    'foreign_host',
    'foreign_origin',
    'internal',
    'fault_injected',
    'storage_full',
  ],
  security: {
    name: 'device_token',
    scheme: { type: 'http', scheme: 'bearer', description: 'The device_token that signing in answered.' },
  },
}
