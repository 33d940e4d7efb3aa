import { concat, fromBase64url, toBase64url, utf8 } from '../../../core/protocol/bytes.ts'
import type { ClientDataDraft } from '../client-data.ts'
import type { SeamContext, Seams } from '../seams.ts'
import type { FaultTable } from './fault.ts'

type Change = (draft: ClientDataDraft, context: SeamContext) => ClientDataDraft

const members = (change: Change) => ({ seams: { clientData: change } })

const set =
  (name: string, value: unknown): Change =>
  (draft) => ({ ...draft, [name]: value })

/** Removes a member: `undefined` is left out when the draft is written. */
const without = (name: string): Change => set(name, undefined)

const origin = (change: (origin: string) => string): Change => {
  return (draft) => ({ ...draft, origin: change(String(draft.origin)) })
}

const challenge = (change: (challenge: string) => string): Change => {
  return (draft) => ({ ...draft, challenge: change(String(draft.challenge)) })
}

const json = (change: NonNullable<Seams['clientDataJson']>) => ({ seams: { clientDataJson: change } })

const rewritten = (change: (text: string) => string) => json((bytes) => utf8(change(new TextDecoder().decode(bytes))))

/** If both forms are equal, adds a line break, as many encoders of plain base64 do. */
const plainBase64 = (text: string): string => {
  const bytes = fromBase64url(text)
  const plain = bytes.ok ? Buffer.from(bytes.value).toString('base64') : `${text}=`
  return plain === text ? `${plain}\n` : plain
}

/** Keeps whole groups of four letters: strict decoders refuse other lengths, but only by chance. */
const truncated = (text: string): string => text.slice(0, Math.ceil(text.length / 4 - 1) * 4)

/** Keeps the last letter: in upper case, a strict decoder would refuse it only by chance. */
const upperCase = (text: string): string => text.slice(0, -1).toUpperCase() + text.slice(-1)

const both = { ceremony: 'both', seam: 'client data' } as const

/** Faults in the client data, which the phone signs in place of the page (WebAuthn §5.8.1). */
export const clientDataFaults = {
  'type-missing': { ...both, expected: 'type_missing', apply: members(without('type')) },
  'type-empty': { ...both, expected: 'type_mismatch', apply: members(set('type', '')) },
  'type-mistyped': { ...both, expected: 'type_missing', apply: members(set('type', 1)) },
  'type-unknown': { ...both, expected: 'type_mismatch', apply: members(set('type', 'payment.get')) },
  'type-of-other-ceremony': {
    ...both,
    expected: 'type_mismatch',
    apply: members((draft, { ceremony }) => ({
      ...draft,
      type: ceremony === 'registration' ? 'webauthn.get' : 'webauthn.create',
    })),
  },

  'challenge-missing': { ...both, expected: 'challenge_missing', apply: members(without('challenge')) },
  'challenge-empty': { ...both, expected: 'challenge_mismatch', apply: members(set('challenge', '')) },
  'challenge-mistyped': { ...both, expected: 'challenge_missing', apply: members(set('challenge', [1, 2, 3])) },
  'challenge-wrong': {
    ...both,
    expected: 'challenge_mismatch',
    // As long as the right one, to find servers that compare only lengths.
    apply: members((draft, { random }) => ({
      ...draft,
      challenge: toBase64url(random.bytes(Math.floor((String(draft.challenge).length * 3) / 4))),
    })),
  },
  'challenge-truncated': { ...both, expected: 'challenge_mismatch', apply: members(challenge(truncated)) },
  'challenge-in-plain-base64': { ...both, expected: 'challenge_encoding', apply: members(challenge(plainBase64)) },
  'challenge-in-upper-case': { ...both, expected: 'challenge_mismatch', apply: members(challenge(upperCase)) },

  'origin-missing': { ...both, expected: 'origin_missing', apply: members(without('origin')) },
  'origin-empty': { ...both, expected: 'origin_mismatch', apply: members(set('origin', '')) },
  'origin-mistyped': {
    ...both,
    expected: 'origin_missing',
    apply: members((draft) => ({ ...draft, origin: [draft.origin] })),
  },
  'origin-wrong': { ...both, expected: 'origin_mismatch', apply: members(set('origin', 'https://phishing.example')) },
  'origin-null': { ...both, expected: 'origin_mismatch', apply: members(set('origin', 'null')) },
  'origin-other-scheme': {
    ...both,
    expected: 'origin_mismatch',
    apply: members(
      origin((text) => text.replace(/^(https?):/, (_, scheme) => (scheme === 'http' ? 'https:' : 'http:'))),
    ),
  },
  'origin-other-port': {
    ...both,
    expected: 'origin_mismatch',
    apply: members(origin((text) => `${text.replace(/:\d+$/, '')}:4443`)),
  },
  'origin-other-subdomain': {
    ...both,
    expected: 'origin_mismatch',
    apply: members(origin((text) => text.replace('://', '://unlisted.'))),
  },
  'origin-with-slash': { ...both, expected: 'origin_mismatch', apply: members(origin((text) => `${text}/`)) },
  'origin-is-rp-id': {
    ...both,
    expected: 'origin_mismatch',
    apply: members((draft, { credential }) => ({ ...draft, origin: credential.rpId })),
  },
  'origin-of-an-app': {
    ...both,
    expected: 'origin_mismatch',
    apply: members(set('origin', 'android:apk-key-hash:2jmj7l5rSw0yVb_vlWAYkK_YBwk')),
  },

  'cross-origin': { ...both, expected: 'cross_origin_not_allowed', apply: members(set('crossOrigin', true)) },
  'cross-origin-missing': { ...both, expected: 'success', apply: members(without('crossOrigin')) },
  'cross-origin-empty': { ...both, expected: 'cross_origin_malformed', apply: members(set('crossOrigin', '')) },
  'cross-origin-mistyped': { ...both, expected: 'cross_origin_malformed', apply: members(set('crossOrigin', 'false')) },
  'top-origin-without-cross-origin': {
    ...both,
    expected: 'top_origin_without_cross_origin',
    apply: members(set('topOrigin', 'https://phishing.example')),
  },
  'top-origin-empty': { ...both, expected: 'top_origin_without_cross_origin', apply: members(set('topOrigin', '')) },
  'top-origin-mistyped': { ...both, expected: 'top_origin_malformed', apply: members(set('topOrigin', 7)) },
  'top-origin-wrong': {
    ...both,
    expected: 'top_origin_mismatch',
    needs: { profile: { top_origins: ['https://partner.example'] } },
    apply: members((draft) => ({ ...draft, crossOrigin: true, topOrigin: 'https://phishing.example' })),
  },
  'token-binding-malformed': {
    ...both,
    expected: 'token_binding_malformed',
    apply: members(set('tokenBinding', 'present')),
  },

  'client-data-empty': { ...both, expected: 'malformed_client_data', apply: json(() => new Uint8Array(0)) },
  'client-data-truncated': {
    ...both,
    expected: 'malformed_client_data',
    apply: rewritten((text) => text.slice(0, -1)),
  },
  'client-data-list': { ...both, expected: 'malformed_client_data', apply: rewritten((text) => `[${text}]`) },
  'client-data-trailing-text': { ...both, expected: 'malformed_client_data', apply: rewritten((text) => `${text}{}`) },
  'client-data-not-utf8': {
    ...both,
    expected: 'client_data_not_utf8',
    apply: json((bytes) => concat(bytes.subarray(0, -1), utf8(',"x":"'), Uint8Array.of(0xff), utf8('"}'))),
  },
  'client-data-duplicate-member': {
    ...both,
    expected: 'client_data_duplicate_member',
    apply: rewritten((text) => text.replace('{', '{"challenge":"AAAA",')),
  },
  'client-data-with-byte-order-mark': {
    ...both,
    expected: 'success',
    apply: json((bytes) => concat(Uint8Array.of(0xef, 0xbb, 0xbf), bytes)),
  },
  'client-data-extra-member': { ...both, expected: 'success', apply: members(set('futureMember', { a: [1] })) },
  'client-data-reordered': {
    ...both,
    expected: 'success',
    apply: members((draft) => Object.fromEntries(Object.entries(draft).reverse())),
  },
  'client-data-spaced': {
    ...both,
    expected: 'success',
    apply: rewritten((text) => JSON.stringify(JSON.parse(text), null, 2)),
  },
} as const satisfies FaultTable
