import { callOrCalls, callSchema, plainCallSchema, valueSource } from './http-call.ts'
import * as t from './schema.ts'

/** Rules that WebAuthn leaves to the server. */
export const POLICIES = ['counters', 'backup-eligibility', 'same-origin', 'trusted-attestation'] as const
export type Policy = (typeof POLICIES)[number]

const refused = t.optional(t.text('A regular expression: the answer is a refusal, whatever its status.'))

const optionsCall = callSchema({
  options: t.optional(
    valueSource(
      'Where the answer has the options, also as a text of JSON; when absent, the member with the challenge.',
    ),
  ),
  refused,
})

const answerCall = callSchema({
  accepted: t.optional(
    t.object({
      read: valueSource('Where the answer says that it accepts.'),
      is: t.optional(t.anything('The value there; when absent, anything but null, false and an empty text.')),
    }),
  ),
  refused,
})

/** A WebAuthn server's interface: the file of `handset check --webauthn --config`. */
export const webauthnServerSchema = t.object({
  url: t.text('Where the server answers: `https://shop.example`.', { pattern: '^https?://' }),
  ...t.allOptional({
    origin: t.text('The origin of its page; that of `url` when absent.', { pattern: '^https?://[^/]+$' }),
    ca: t.text('A PEM file with the CA of a server behind https.'),
    policies: t.list(t.choice(POLICIES), 'Rules that it has, though WebAuthn leaves them to the server.'),
    user_id: t.text('What a user is called: `{name}` is another text for each. `{name}` when absent.', {
      pattern: '\\{name\\}',
    }),
    before: t.list(
      t.object({ http: plainCallSchema }),
      'What a new user’s browser does before it registers a passkey.',
    ),
  }),
  calls: t.object({
    registration_options: callOrCalls(optionsCall),
    registration: callOrCalls(answerCall),
    sign_in_options: callOrCalls(optionsCall),
    sign_in: callOrCalls(answerCall),
    who: t.optional(
      callSchema({ read: valueSource('Where the answer has who is signed in; null, empty or absent: nobody.') }),
    ),
  }),
})

export type WebauthnServer = t.ValueOf<typeof webauthnServerSchema>
export type WebauthnCalls = WebauthnServer['calls']
