import { mapValues } from '../protocol/json.ts'

/**
 * Settings for behaviour of the real service that is not known: users match them to the service they know. The first
 * value of a choice is its default.
 */
export type Rule =
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | {
      readonly kind: 'set'
      readonly values: readonly string[]
      readonly default: readonly string[]
      readonly atLeast: 0 | 1
      readonly meanings?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'flag'; readonly default: boolean }
  | {
      readonly kind: 'number'
      readonly min: number
      readonly max: number
      readonly default: number
      readonly unit?: string
    }
  | { readonly kind: 'origins'; readonly default: readonly string[] }
  | { readonly kind: 'identifiers'; readonly default: readonly string[]; readonly most: number }

export type ProfileSetting = {
  readonly rule: Rule
  readonly group: string
  /** How `handset parity` finds it: `measured` in answers, `tried` one by one, or `unseen` if no answer shows it. */
  readonly parity: 'measured' | 'tried' | 'unseen'
  /** Label on the page. */
  readonly name: string
  readonly sentence: string
}

/** By COSE name, in the order in which the options list them. */
export const PROFILE_ALGORITHMS = [
  'ES256',
  'EdDSA',
  'ES384',
  'ES512',
  'ES256K',
  'Ed448',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ML-DSA-44',
  'ML-DSA-65',
  'ML-DSA-87',
  'RS1',
] as const

const FORMS = ['short', 'general'] as const

/** Most preferred first, as an RP orders them. */
const HINTS = ['client-device', 'hybrid', 'security-key'] as const

const ATTESTATION_FORMATS = [
  ...(['packed', 'tpm', 'android-key', 'android-safetynet', 'fido-u2f', 'apple', 'compound', 'none'] as const),
]

const EXTENSIONS = ['credProps', 'credProtect', 'minPinLength', 'prf', 'largeBlob'] as const

/** The judge's strict rules that may be relaxed, and what it accepts when they are. */
export const relaxableRules = {
  'u2f-aaguid': 'fido-u2f attestations with an AAGUID that is not zero: the rule is FIDO’s, not WebAuthn’s.',
  'tpm-manufacturer': 'TPM certificates that name a manufacturer outside the TCG’s registry.',
  'tpm-sha1-names': 'TPM names made with SHA-1, as the first TPMs of version 2.0 make them.',
  'android-key-authorizations': 'android-key attestations that do not state the key’s origin and purpose.',
  'apple-alg': 'apple attestations with the member alg, as Apple’s devices sent them in 2020 and 2021.',
  'certificate-unused-bits':
    'Certificates whose signature claims unused bits, as those of Yubico’s first Security Keys do.',
  'non-canonical-cbor': 'CBOR that is not in CTAP2’s canonical form, as some browsers of 2018 and 2019 wrote it.',
  'reserved-flags': 'Authenticator data with reserved flag bits set.',
  'token-binding': 'A tokenBinding of any form, as in the client data of browsers of 2018.',
} as const satisfies Record<string, string>

export type RelaxableRule = keyof typeof relaxableRules

export type RelaxedRules = readonly RelaxableRule[]

export const RELAXABLE = Object.keys(relaxableRules) as RelaxedRules

/** Makes a setting that `handset parity` finds in this way. */
const found =
  <const P extends ProfileSetting['parity']>(parity: P) =>
  <const G extends string, const R extends Rule>(
    group: G,
    rule: R,
    { name, sentence }: Pick<ProfileSetting, 'name' | 'sentence'>,
  ) => ({ rule, group, parity, name, sentence })

const measured = found('measured')
const tried = found('tried')
const unseen = found('unseen')

const choice = <const V extends readonly string[]>(...values: V) => ({ kind: 'choice' as const, values })

/** Makes rules of one kind. */
const ruleOf =
  <const K extends Rule['kind']>(kind: K) =>
  <const R extends Omit<Extract<Rule, { readonly kind: K }>, 'kind'>>(rest: R) => ({ kind, ...rest })

const set = ruleOf('set')
const flag = ruleOf('flag')
const number = ruleOf('number')
const origins = ruleOf('origins')
const identifiers = ruleOf('identifiers')

const characters = (usual: number) => number({ min: 1, max: 4096, default: usual, unit: 'characters' })

export const profileSettings = {
  authorization_forms: tried('Signing', set({ values: FORMS, default: FORMS, atLeast: 1 }), {
    name: 'Forms of Authorization',
    sentence: 'Which forms of the Authorization header are accepted.',
  }),
  canonical_uri: tried('Signing', choice('as-sent', 'encoded'), {
    name: 'Path in the canonical request',
    sentence:
      'The path in the canonical request: exactly as on the request line, or percent-encoded once more per segment.',
  }),
  clock_skew_s: measured('Signing', number({ min: 0, max: 86_400, default: 300, unit: 's' }), {
    name: 'Clock difference',
    sentence: 'How far X-Svc-Date may be from the time of the service.',
  }),
  skew_clock: unseen('Signing', choice('wall', 'bench'), {
    name: 'Clock for the date',
    sentence: 'Which clock X-Svc-Date is judged by: real time, or the clock of the workspace.',
  }),
  require_signed_date: tried('Signing', flag({ default: false }), {
    name: 'Date must be signed',
    sentence: 'Whether x-svc-date must be among the signed headers.',
  }),
  short_form_identifiers: unseen('Signing', identifiers({ default: [], most: 32 }), {
    name: 'Identifiers of the short form',
    sentence:
      'More identifiers of the scope that the short form is tried with, beside none, the access key’s ID, the day, the RP’s ID and its RP ID.',
  }),
  explain_signatures: tried('Signing', flag({ default: true }), {
    name: 'Explain a mismatch',
    sentence: 'Whether a signature mismatch shows the texts as the service computed them.',
  }),
  message_ttl_s: measured('Messages', number({ min: 5, max: 3600, default: 180, unit: 's' }), {
    name: 'Time to answer',
    sentence: 'How long a request can be answered.',
  }),
  final_result: tried('Messages', choice('once', 'repeatable'), {
    name: 'Reading the result',
    sentence: 'Whether success and fail are reported once or again and again.',
  }),
  unknown_user: tried('Users', choice('refuse', 'accept'), {
    name: 'User without passkeys',
    sentence: 'What a sign-in of a user without credentials gets: a refusal, or a message nobody can answer.',
  }),
  empty_optional: tried('Users', choice('absent', 'refuse'), {
    name: 'Empty optional field',
    sentence: 'What null or an empty string for an optional field is: the same as no field, or a refusal.',
  }),
  user_id_max: measured('Users', characters(128), { name: 'Longest user ID', sentence: 'The longest user_id.' }),
  username_max: measured('Users', characters(128), { name: 'Longest user name', sentence: 'The longest username.' }),
  display_name_max: measured('Users', characters(128), {
    name: 'Longest display name',
    sentence: 'The longest display_name.',
  }),
  credential_name_max: measured('Users', characters(64), {
    name: 'Longest passkey name',
    sentence: 'The longest credential_name.',
  }),
  credentials_per_user: measured('Users', number({ min: 1, max: 1000, default: 20 }), {
    name: 'Passkeys per user',
    sentence: 'How many credentials a user may have.',
  }),
  attestation_conveyance: tried('Ceremonies', choice('direct', 'none', 'indirect', 'enterprise'), {
    name: 'Attestation asked for',
    sentence: 'The attestation that the options ask for.',
  }),
  user_verification: tried('Ceremonies', choice('preferred', 'required', 'discouraged'), {
    name: 'User verification',
    sentence: 'The user verification that the options ask for.',
  }),
  resident_key: tried('Ceremonies', choice('preferred', 'required', 'discouraged'), {
    name: 'Discoverable credential',
    sentence: 'Whether the options ask for a discoverable credential.',
  }),
  hints: measured('Ceremonies', set({ values: HINTS, default: [], atLeast: 0 }), {
    name: 'Hints',
    sentence: 'The authenticators that the options hint at, the most wanted first.',
  }),
  attestation_formats: measured('Ceremonies', set({ values: ATTESTATION_FORMATS, default: [], atLeast: 0 }), {
    name: 'Attestation formats',
    sentence: 'The attestation formats that the options prefer, the most wanted first.',
  }),
  extensions: measured('Ceremonies', set({ values: EXTENSIONS, default: [], atLeast: 0 }), {
    name: 'Extensions',
    sentence:
      'The extensions that the options ask for: credProtect at level 2, prf with one input for each user, and largeBlob to be read. The judge compares their outputs with that.',
  }),
  algorithms: measured('Ceremonies', set({ values: PROFILE_ALGORITHMS, default: PROFILE_ALGORITHMS, atLeast: 1 }), {
    name: 'Algorithms',
    sentence: 'The signature algorithms that the options list and the judge accepts.',
  }),
  attestation: tried('Judge', choice('accept-any', 'require-trusted'), {
    name: 'Trust in attestation',
    sentence: 'Whether attestation must lead to a trusted root. Signatures and format rules are verified either way.',
  }),
  counter_regression: tried('Judge', choice('fail', 'accept'), {
    name: 'Counter that does not grow',
    sentence: 'What happens when a signature counter does not grow.',
  }),
  second_opinion: unseen('Judge', choice('record', 'off', 'must-agree'), {
    name: 'Second opinion',
    sentence: 'Whether a second verifier hears every ceremony, and whether it must agree.',
  }),
  top_origins: unseen('Judge', origins({ default: [] }), {
    name: 'Embedding websites',
    sentence: 'Origins of pages that may embed the RP; empty means that cross-origin ceremonies are refused.',
  }),
  judge_relaxes: tried('Judge', set({ values: RELAXABLE, default: [], atLeast: 0, meanings: relaxableRules }), {
    name: 'Relaxed rules',
    sentence: 'Rules that the judge does not insist on. Each accepts one thing that real devices are known to do.',
  }),
  http_status: tried('Errors', choice('semantic', 'always-200'), {
    name: 'HTTP status of errors',
    sentence: 'Whether errors have their own HTTP status or always 200 with the code in the envelope.',
  }),
  rate_limit_per_minute: unseen('Limits', number({ min: 0, max: 1_000_000, default: 0, unit: 'requests' }), {
    name: 'Requests per minute',
    sentence: 'Requests of one access key per minute before 42901; 0 is off.',
  }),
} satisfies Record<string, ProfileSetting>

export type ProfileKey = keyof typeof profileSettings

export type ParityKey<How extends ProfileSetting['parity']> = {
  [K in ProfileKey]: (typeof profileSettings)[K]['parity'] extends How ? K : never
}[ProfileKey]

export const PROFILE_KEYS = Object.keys(profileSettings) as [ProfileKey, ...ProfileKey[]]

type ValueOf<R extends Rule> = R extends { kind: 'choice'; values: readonly (infer V)[] }
  ? V
  : R extends { kind: 'set'; values: readonly (infer V)[] }
    ? readonly V[]
    : R extends { kind: 'flag' }
      ? boolean
      : R extends { kind: 'number' }
        ? number
        : readonly string[]

export type Profile = { readonly [K in ProfileKey]: ValueOf<(typeof profileSettings)[K]['rule']> }

const defaultOf = ({ rule }: ProfileSetting): unknown => (rule.kind === 'choice' ? rule.values[0] : rule.default)

export const defaultProfile = mapValues(profileSettings, defaultOf) as Profile

/** Longest identifier after `fido-server/` in a scope. It may be any text on one line. */
export const LONGEST_IDENTIFIER = 128

/** In the form of browsers: scheme, host, and a port that is not the scheme's default; no path. */
export const isOrigin = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value
