import { MESSAGE_STATES } from '../../protocol/message-state.ts'
import { BODY_ERRORS, type InputRules, input, optionalText, rememberByRules, route } from '../input-by-profile.ts'
import { defaultProfile } from '../profile.ts'
import * as t from '../schema.ts'

const messageAddress = t.fields({
  url: t.text(
    'The message address, to be shown as a QR code. The message ID is the text after `#` without its first character.',
  ),
  expires_at: t.whole('When the request expires, in Unix seconds.'),
})

const resultFields = {
  svc_user: t.text('Who scanned, for display; empty before the scan.'),
  status: t.choice(MESSAGE_STATES, '`bind`: scanned; `timeout`: it expired unanswered.'),
  error: t.text(
    'Why it failed: a stable machine word, a colon, a sentence, such as `user_rejected: …`. Empty unless status is `fail`.',
  ),
}

const listedCredential = t.fields({
  credential_id: t.text('Used when deleting.'),
  credential_name: t.text('Given at registration, or made up.'),
  user_id: t.text('Its user.'),
  created_at: t.text('Time of the registration, RFC 3339.', { format: 'date-time' }),
  updated_at: t.text('Time of the latest use, RFC 3339.', { format: 'date-time' }),
})

export type MessageAddressData = t.ValueOf<typeof messageAddress>

const RESULT_ERRORS = [
  'missing_parameter',
  'invalid_parameter',
  'conflicting_parameters',
  'message_not_found',
  'result_already_read',
] as const

const POLLED = 'Polled until status is `success` or `fail`, each reported once, or until the request has expired.'

const MAX_IDS = 100

export const rpRoutes = rememberByRules((rules: InputRules) => {
  const user = {
    user_id: t.nameText(rules.user_id_max, 'Identifies the user in the RP’s own system.'),
    username: t.nameText(rules.username_max, 'The name the user signs in with.'),
  }
  const messageId = input({
    msg_id: optionalText(
      rules,
      t.text('From the `url` of the options call. `id` is its other name; one of them is required.', { minLength: 1 }),
    ),
    id: optionalText(rules, t.text('The same as `msg_id`.', { minLength: 1 })),
  })
  return {
    'attestation.options': route.post('/rp/attestation/options', 'Pre-registration', {
      description: 'Opens a registration and answers the address that the user scans.',
      body: input({
        ...user,
        credential_name: optionalText(
          rules,
          t.nameText(
            rules.credential_name_max,
            'What the new credential is called; when absent, two words and a number.',
          ),
        ),
        display_name: optionalText(
          rules,
          t.nameText(rules.display_name_max, 'The user’s nickname; when absent, the username.'),
        ),
      }),
      data: messageAddress,
      errors: [...BODY_ERRORS, 'credential_limit', 'quota_reached'],
    }),
    'attestation.result': route.get('/rp/attestation/result', 'Registration result', {
      description: POLLED,
      query: messageId,
      data: t.fields(resultFields),
      errors: RESULT_ERRORS,
    }),
    'assertion.options': route.post('/rp/assertion/options', 'Pre-authentication', {
      description: 'Opens an authentication. With method `push` the user’s phones are told as well.',
      body: input({ ...user, method: t.choice(['qrcode', 'push'], 'How the phone learns of it.') }),
      data: messageAddress,
      errors: [...BODY_ERRORS, 'no_credential', 'quota_reached'],
    }),
    'assertion.result': route.get('/rp/assertion/result', 'Authentication result', {
      description: POLLED,
      query: messageId,
      data: t.fields({
        ...resultFields,
        user_id: t.text('The user who registered the credential, on success; else empty.'),
      }),
      errors: RESULT_ERRORS,
    }),
    'credentials.list': route.get('/rp/credentials', 'The credentials of a user', {
      query: input({ user_id: user.user_id }),
      data: t.fields({ total: t.whole('The length of the list.'), list: t.list(listedCredential, 'Oldest first.') }),
      errors: ['missing_parameter', 'invalid_parameter', 'conflicting_parameters'],
    }),
    'credentials.delete': route.del('/rp/credentials', 'Delete credentials of a user', {
      description: 'Unknown, foreign and repeated ids are not counted and no error.',
      // The document calls user_id a query parameter and shows it in the body.
      query: input({
        user_id: optionalText(rules, t.nameText(rules.user_id_max, 'Whose credentials, where the body has none.')),
      }),
      body: input({
        user_id: optionalText(rules, t.nameText(rules.user_id_max, 'Whose credentials; else the query’s.')),
        credential_ids: t.list(t.text(), { maxItems: MAX_IDS, description: 'From the list call.' }),
      }),
      data: t.fields({ total: t.whole('How many were deleted.') }),
      errors: [...BODY_ERRORS, 'conflicting_parameters'],
    }),
  } as const satisfies t.RouteTable<t.TableRoute>
})

type Routes = ReturnType<typeof rpRoutes>

export type RpOperation = keyof Routes
export type RpInput<K extends RpOperation> = t.Input<Routes[K]>
export type RpData<K extends RpOperation> = t.DataOf<Routes[K]>

export const RP_OPERATIONS = Object.keys(rpRoutes(defaultProfile)) as [RpOperation, ...RpOperation[]]

export const rpInterface = (url: string, rules: InputRules): t.Interface => ({
  title: 'Handset: the RP interface',
  version: '1',
  description:
    'What a relying party calls. Every request is signed. Every response is `{code, data, error}`; code is 0 on success. A profile may make every HTTP status 200. The limits are those of the workspace’s profile.',
  servers: [{ url }],
  routes: rpRoutes(rules),
  errors: [
    ...(['malformed_request', 'no_authorization', 'malformed_authorization', 'unknown_access_key'] as const),
    ...(['signature_mismatch', 'bad_date', 'clock_skew', 'host_not_signed', 'bad_scope'] as const),
    ...(['too_many_requests', 'internal', 'fault_injected', 'store_unavailable', 'storage_full'] as const),
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
})
