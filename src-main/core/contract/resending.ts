import { answer, choice, count, list, object, optional, orNull, partial, text, type ValueOf, whole } from './schema.ts'

/** How a repeated request is signed: correctly, or with one telling mistake. */
export const RESEND_SIGNINGS = [
  'anew',
  'kept',
  'before_edits',
  'other_secret',
  'unknown_key',
  'old_date',
  'no_date',
  'none',
] as const

export type ResendSigning = (typeof RESEND_SIGNINGS)[number]

/** `anew`: the phone's key signs the edited data. `kept`: the signed honest answer is edited afterwards. */
export const ANSWER_SIGNINGS = ['anew', 'kept'] as const

export type AnswerSigning = (typeof ANSWER_SIGNINGS)[number]

export const resendOrigin = answer('Of a request or an answer that was sent again: the exchange that it came from.', {
  from: count('The number of the exchange that it repeats.'),
  edited: list(text(), 'What is otherwise, such as `body` or `client_data.origin`.'),
  signing: choice(RESEND_SIGNINGS),
})

export type Resent = ValueOf<typeof resendOrigin>

export const RESEND_BODY_MAX = 128 * 1024
export const RESEND_HEADERS_MAX = 64

/** Headers about one connection or the length of a body: Handset writes these itself. */
export const UNSENDABLE_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const

export const resendRequest = partial({
  method: choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  target: text('Path and query, below this workspace’s RP interface.', { pattern: '^/[!-~]*$', maxLength: 8192 }),
  headers: list(
    object({
      name: text('', { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$" }),
      value: text('', { pattern: '^[^\\p{Cc}\\p{Cs}]*$', maxLength: 8192 }),
    }),
    {
      maxItems: RESEND_HEADERS_MAX,
      description:
        'All of them. `Content-Length` and what is about the connection are written anew; so are `X-Svc-Date` and `Authorization`, unless `signing` is `kept`.',
    },
  ),
  body: text('', { maxLength: RESEND_BODY_MAX }),
  signing: choice(
    RESEND_SIGNINGS,
    '`anew` when absent. `kept`: with the headers as they are. `before_edits`: the request as it was is signed, and then edited. `old_date`: a minute older than the profile allows.',
  ),
  access_key_id: text('A key of this workspace; when absent the request’s own, else an active one of its RP.'),
})

export type ResendRequest = ValueOf<typeof resendRequest>

const HEX = '^([0-9a-f]{2})*$'
const hex = (description: string, maxLength = 2048) => text(description, { pattern: HEX, maxLength })
const HEX_MAX = 40_000

const splices = (description: string) =>
  list(
    object({
      at: whole('The first octet that goes.', { minimum: 0, maximum: HEX_MAX }),
      take: whole('How many octets go.', { minimum: 0, maximum: HEX_MAX }),
      put: hex('What comes in their place, in hex.', HEX_MAX),
    }),
    { maxItems: 200, description },
  )

const base64url = (description: string) => text(description, { maxLength: 4096 })

/** Anything not named stays as the phone makes it. */
export const answerEdits = partial({
  client_data: list(
    object({
      name: text('', { maxLength: 128 }),
      value: optional(text('Of a text member.', { maxLength: 8192 })),
      json: optional(text('Any other value, as JSON; neither: the member goes.', { maxLength: 8192 })),
    }),
    { maxItems: 32, description: 'Members of the client data, by name.' },
  ),
  rp_id_hash: hex('In hex.'),
  flags: whole('All eight bits.', { minimum: 0, maximum: 255 }),
  counter: whole(undefined, { minimum: 0, maximum: 0xffffffff }),
  aaguid: hex('In hex; of a registration.'),
  attested_credential_id: hex('In hex; of a registration, inside the attested data.'),
  public_key: hex('The COSE key, in hex; of a registration.', HEX_MAX),
  credential_id: base64url('`id` and `rawId` of the answer.'),
  user_handle: orNull(base64url('Of a sign-in; null takes it away.')),
  client_data_bytes: splices('After the members were set.'),
  authenticator_data_bytes: splices('After the fields were set.'),
  attestation_object_bytes: splices('Of a registration, after it was signed.'),
  signature_bytes: splices('Of a sign-in, after it was signed.'),
})

export type AnswerEdits = ValueOf<typeof answerEdits>
export type Splice = NonNullable<AnswerEdits['signature_bytes']>[number]
