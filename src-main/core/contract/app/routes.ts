import { MESSAGE_STATES } from '../../protocol/message-state.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../protocol/webauthn-json.ts'
import { BODY_ERRORS, type InputRules, input, optionalText, rememberByRules, route } from '../input-by-profile.ts'
import { defaultProfile } from '../profile.ts'
import * as t from '../schema.ts'
import { LONGEST_SEALED, phoneNumber, sealed, vaultId } from './fields.ts'

export type CredentialStorage = 'chip' | 'cloud'

const rp = { id: t.text('The RP ID.'), name: t.text('For display.') }
const expiresAt = t.whole('When the request expires, in Unix seconds.')
const status = t.choice(MESSAGE_STATES, 'How the message stands now.')
const verdict = t.fields({ status, error: t.text('A stable machine word, a colon, a sentence; empty on success.') })
const deleted = t.fields({ deleted: t.flag('Whether there was something to delete.') })

const etag = t.text('The version, with its quotes, as If-Match wants it.')
const entry = t.fields({ credential_id: t.text('Base64url.'), etag, sealed })

const signedIn = t.fields({
  device_id: t.text('Names the phone: `dev_…`.'),
  device_token: t.text('The bearer token of all other calls.'),
})

const bound = t.fields({
  kind: t.choice(['registration', 'authentication'], 'Which ceremony.'),
  rp: t.fields({ ...rp, origins: t.list(t.text(), 'The origins that the RP expects.') }, 'The RP.'),
  user: t.fields({ username: t.text('For display.'), display_name: t.text('For display.') }, 'The user of the RP.'),
  credential_name: t.text('What the new credential will be called; empty for authentications.'),
  expires_at: expiresAt,
  public_key: t.described(
    t.typed<CreationOptionsJson | RequestOptionsJson>(t.answer({})),
    'PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON of WebAuthn Level 3.',
  ),
})

const push = t.fields({
  msg_id: t.text('The message.'),
  url: t.text('Its address, as a QR code would have it.'),
  rp: t.fields(rp, 'The RP.'),
  expires_at: expiresAt,
})

const rpNames = { rpId: t.text('The RP ID.'), rpName: t.text('For display.') }
const userId = t.text('The user handle, base64url.')

/** Named like the signal methods of WebAuthn Level 3 §5.1.10. */
export const inboxSignal = t.either(
  t.answer({ signal: t.constant('currentUserDetails'), ...rpNames, userId, name: t.text(), displayName: t.text() }),
  t.answer({ signal: t.constant('unknownCredential'), ...rpNames, credentialId: t.text() }),
  t.answer({
    signal: t.constant('allAcceptedCredentials'),
    complete: t.flag('Whether the account has no credentials of other users.'),
    users: t.list(t.answer({ ...rpNames, userId, allAcceptedCredentialIds: t.list(t.text()) })),
  }),
)

const messageId = t.object({
  msg_id: t.text('The message ID: the text after `#` of the message address, without its first character.'),
})
const credentialId = t.object({ credential_id: vaultId })
const ifMatch = { 'If-Match': t.optional(t.text('The version that is replaced or deleted, or `*`.')) }

const MESSAGE_ERRORS = ['message_not_found', 'bound_elsewhere', 'wrong_state', 'message_expired'] as const
const ANSWER_ERRORS = [...BODY_ERRORS, ...MESSAGE_ERRORS, 'answered_differently'] as const
const JUDGED =
  'Anything inside `response` is judged and final; the identical answer again gets the first verdict again.'

export const appRoutes = rememberByRules((rules: InputRules) => {
  return {
    'devices.sign_in': route.post('/devices', 'Sign a phone in', {
      open: true,
      description:
        'Makes the account on first use; an account is its phone number. A proof given then is wanted ever after. An account made without one is open and has no vault.',
      body: input({
        account: t.described(
          input({
            name: t.shortText('For display.'),
            phone: phoneNumber,
            proof: optionalText(
              rules,
              t.nameText(256, 'Derived from the account’s secret, which never comes here.', { writeOnly: true }),
            ),
          }),
          'Who uses the phone.',
        ),
        device_name: t.shortText('For display.'),
      }),
      data: signedIn,
      errors: [...BODY_ERRORS, 'device_not_signed_in'],
    }),
    'devices.sign_out': route.del('/devices/self', 'Sign this phone out', {
      description: 'The token is dead from then on.',
      data: deleted,
      errors: [],
    }),
    'messages.bind': route.post('/messages/{msg_id}/bind', 'Take a message that was scanned or pushed', {
      description: 'The first device has it; the same one again is harmless.',
      params: messageId,
      body: t.described(input({}), 'Empty.'),
      data: bound,
      errors: [...BODY_ERRORS, ...MESSAGE_ERRORS],
    }),
    'messages.attestation': route.post('/messages/{msg_id}/attestation', 'Answer a registration', {
      description: JUDGED,
      params: messageId,
      body: input({
        response: t.anything('RegistrationResponseJSON of WebAuthn Level 3.'),
        storage: optionalText<CredentialStorage>(
          rules,
          t.choice(['chip', 'cloud'], 'Where the user keeps the credential; `chip` when absent.'),
        ),
      }),
      data: verdict,
      errors: ANSWER_ERRORS,
    }),
    'messages.assertion': route.post('/messages/{msg_id}/assertion', 'Answer an authentication', {
      description: JUDGED,
      params: messageId,
      body: input({ response: t.anything('AuthenticationResponseJSON of WebAuthn Level 3.') }),
      data: verdict,
      errors: ANSWER_ERRORS,
    }),
    'messages.reject': route.post('/messages/{msg_id}/reject', 'Reject a message', {
      params: messageId,
      body: input({
        reason: optionalText(
          rules,
          t.nameText(
            200,
            'The message’s `error`: a word such as `no_matching_credential`, or free words, which follow `user_rejected:`. When absent, `user_rejected`.',
          ),
        ),
      }),
      data: t.fields({ status }),
      errors: ANSWER_ERRORS,
    }),
    inbox: route.get('/inbox', 'Pushes as server-sent events', {
      stream: true,
      description:
        'One `message` event per push. What was missed comes first: with Last-Event-ID what came after that, without it every push whose message is still open. A comment every 15 s keeps it alive. `signal` events, without an id, say which credentials the RPs accept; readers ignore events that they do not know.',
      headers: t.object({ 'Last-Event-ID': t.optional(t.text('The id of the last event that was read.')) }),
      data: push,
      errors: [],
    }),
    'vault.list': route.get('/vault', 'The cloud HSM: all sealed credentials of the account', {
      data: t.fields({ total: t.whole('The length of the list.'), list: t.list(entry, 'Oldest first.') }),
      errors: ['not_found'],
    }),
    'vault.put': route.put('/vault/{credential_id}', 'Keep a sealed credential', {
      description: 'Without a condition 42801; 41201 when another phone was first.',
      params: credentialId,
      headers: t.object({ ...ifMatch, 'If-None-Match': t.optional(t.text('`*`, of a new one.')) }),
      body: input({ sealed }),
      bodyLimit: LONGEST_SEALED + 1024,
      data: t.fields({ credential_id: t.text('Base64url.'), etag }),
      errors: [...BODY_ERRORS, 'conflicting_parameters', 'not_found', 'precondition_failed', 'precondition_required'],
    }),
    'vault.get': route.get('/vault/{credential_id}', 'Get a sealed credential', {
      params: credentialId,
      data: entry,
      errors: ['invalid_parameter', 'not_found'],
    }),
    'vault.delete': route.del('/vault/{credential_id}', 'Delete a sealed credential', {
      params: credentialId,
      headers: t.object(ifMatch),
      data: deleted,
      errors: ['invalid_parameter', 'conflicting_parameters', 'not_found', 'precondition_failed'],
    }),
  } as const satisfies t.RouteTable<t.TableRoute>
})

type Routes = ReturnType<typeof appRoutes>

export type AppOperation = keyof Routes
export type AppRoute<K extends AppOperation> = Routes[K] & t.Route
export type AppInput<K extends AppOperation> = t.Input<Routes[K]>
export type AppData<K extends AppOperation> = t.DataOf<Routes[K]>

export type BindData = t.ValueOf<typeof bound>
export type AnswerData = t.ValueOf<typeof verdict>
export type InboxMessage = t.ValueOf<typeof push>
export type InboxSignal = t.ValueOf<typeof inboxSignal>
export type VaultEntry = t.ValueOf<typeof entry>

export const APP_OPERATIONS = Object.keys(appRoutes(defaultProfile)) as [AppOperation, ...AppOperation[]]

/** For addresses and access rules only: these are the same in every profile. */
export const appAddresses: { readonly [K in AppOperation]: AppRoute<K> } = appRoutes(defaultProfile)

export const appTable = APP_OPERATIONS.map((operation) => ({
  method: appAddresses[operation].method,
  pattern: appAddresses[operation].path,
  handler: operation,
}))

export const appBodyLimit = (operation: AppOperation): number =>
  'stream' in appAddresses[operation] ? 0 : ((appAddresses[operation] as t.Route).bodyLimit ?? t.BODY_LIMIT)

export const appInterface = (url: string, rules: InputRules): t.Interface => ({
  title: 'Handset: the app interface',
  version: '1',
  description:
    'What a phone calls. Anyone may write their own phone against it. Every response is `{code, data, error}`; code is 0 on success. A profile may make every HTTP status 200. The limits are those of the workspace’s profile.',
  servers: [{ url }],
  routes: appRoutes(rules),
  errors: [
    'malformed_request',
    'device_not_signed_in',
    'foreign_host',
    'foreign_origin',
    'internal',
    'fault_injected',
    'store_unavailable',
    'storage_full',
  ],
  security: {
    name: 'device_token',
    scheme: { type: 'http', scheme: 'bearer', description: 'The device_token that signing in answered.' },
  },
})
