import { rpRoutes } from '../rp/rp-routes.ts'
import type { Interface } from './document.ts'
import type { Operation } from './operation.ts'
import { integer, listOf, object, optionalText, type Schema, text } from './schema.ts'

const userId = text('Identifies the user in the RP’s own system.', { minLength: 1, maxLength: 128 })
const username = text('The name the user signs in with.', { minLength: 1, maxLength: 128 })

const messageAddress = object({
  url: text(
    'The message address, to be shown as a QR code. The message ID is the text after `#` without its first character.',
  ),
  expires_at: integer('When the request expires, in Unix seconds.'),
})

const status = text('`timeout`: it expired unanswered.', {
  enum: ['init', 'bind', 'success', 'fail', 'timeout'],
})

const record = {
  svc_user: text('Who scanned, for display; empty before the scan.'),
  status,
  error: text('Why it failed: a stable machine word, a colon, a sentence. Empty unless status is `fail`.'),
} as const satisfies Record<string, Schema>

const messageId = [
  {
    name: 'msg_id',
    description: 'From the `url` of the options call. `id` is accepted as its other name; one of them is required.',
    schema: { type: 'string' },
  },
  { name: 'id', description: 'The same as `msg_id`.', schema: { type: 'string' } },
] as const

const credential = object({
  credential_id: text('Used when deleting.'),
  credential_name: text('Given at registration, or made up.'),
  user_id: userId,
  created_at: text('RFC 3339.', { format: 'date-time' }),
  updated_at: text('Time of the latest use, RFC 3339.', { format: 'date-time' }),
})

const BODY = ['malformed_json', 'invalid_parameter', 'missing_parameter', 'not_json', 'body_too_large'] as const
const RESULT = [
  'missing_parameter',
  'invalid_parameter',
  'conflicting_parameters',
  'message_not_found',
  'result_already_read',
] as const

export const rpOperations: Readonly<Record<string, Operation>> = {
  'attestation.options': {
    summary: 'Pre-registration',
    description: 'Opens a registration and answers the address that the user scans.',
    body: object(
      {
        user_id: userId,
        username,
        credential_name: optionalText('What the new credential is called; two words and a number when absent.', {
          maxLength: 64,
        }),
        display_name: optionalText('The user’s nickname; the username when absent.', { maxLength: 128 }),
      },
      { optional: ['credential_name', 'display_name'], closed: false },
    ),
    data: messageAddress,
    errors: [...BODY, 'credential_limit'],
  },
  'attestation.result': {
    summary: 'Registration result',
    description: 'Polled until status is `success` or `fail`, each reported once, or until the request has expired.',
    query: messageId,
    data: object(record),
    errors: RESULT,
  },
  'assertion.options': {
    summary: 'Pre-authentication',
    description: 'Opens an authentication. With method `push` the user’s phones are told as well.',
    body: object(
      { user_id: userId, username, method: text('How the phone learns of it.', { enum: ['qrcode', 'push'] }) },
      { closed: false },
    ),
    data: messageAddress,
    errors: [...BODY, 'no_credential'],
  },
  'assertion.result': {
    summary: 'Authentication result',
    description: 'Polled until status is `success` or `fail`, each reported once, or until the request has expired.',
    query: messageId,
    data: object({ ...record, user_id: text('The user who registered the credential, on success; else empty.') }),
    errors: RESULT,
  },
  'credentials.list': {
    summary: 'List the credentials of a user, oldest first',
    query: [{ name: 'user_id', description: 'Whose.', required: true, schema: userId }],
    data: object({ total: integer('The length of the list.'), list: listOf(credential) }),
    errors: ['missing_parameter', 'invalid_parameter', 'conflicting_parameters'],
  },
  'credentials.delete': {
    summary: 'Delete credentials of a user',
    description: 'Unknown, foreign and repeated ids are not counted and no error.',
    query: [{ name: 'user_id', description: 'Where the body has none.', schema: userId }],
    body: object(
      {
        user_id: optionalText('Whose; else the query’s.', { maxLength: 128 }),
        credential_ids: listOf(text('From the list call.'), { maxItems: 100 }),
      },
      { optional: ['user_id'], closed: false },
    ),
    data: object({ total: integer('How many were deleted.') }),
    errors: [...BODY, 'conflicting_parameters'],
  },
}

export const rpInterface: Interface = {
  title: 'Handset: the RP interface',
  description:
    'What a relying party calls. Every request is signed. Every response is `{code, data, error}`; code is 0 on success. A profile may make every HTTP status 200.',
  routes: rpRoutes,
  operations: rpOperations,
  parameters: {},
  errors: [
    ...(['malformed_request', 'no_authorization', 'malformed_authorization', 'unknown_access_key'] as const),
    ...(['signature_mismatch', 'bad_date', 'clock_skew', 'host_not_signed', 'bad_scope'] as const),
    ...(['too_many_requests', 'internal', 'fault_injected', 'storage_full'] as const),
  ],
  security: {
    name: 'signature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        '`SVC-HMAC-SHA256 <access_key_id>/<credential_scope>,<signed_headers>,<signature>`, or the short form `SVC-HMAC-SHA256 <signed_headers>,<signature>`, beside `X-Svc-Date`.',
    },
  },
}
