import { concat, fromBase64url, toBase64url, utf8 } from '../../protocol/bytes.ts'
import type { ClientDataDraft } from '../client-data.ts'
import type { SeamContext, Seams } from '../seams.ts'
import type { FaultTable } from './fault.ts'

type Change = (draft: ClientDataDraft, context: SeamContext) => ClientDataDraft

const members = (change: Change) => ({ seams: { clientData: change } })

const set =
  (name: string, value: unknown): Change =>
  (draft) => ({ ...draft, [name]: value })

/** `undefined` is left out when the draft is written. */
const without = (name: string): Change => set(name, undefined)

const origin = (change: (origin: string) => string): Change => {
  return (draft) => ({ ...draft, origin: change(String(draft.origin)) })
}

const challenge = (change: (challenge: string) => string): Change => {
  return (draft) => ({ ...draft, challenge: change(String(draft.challenge)) })
}

const json = (change: NonNullable<Seams['clientDataJson']>) => ({ seams: { clientDataJson: change } })

const rewritten = (change: (text: string) => string) => json((bytes) => utf8(change(new TextDecoder().decode(bytes))))

const plainBase64 = (text: string): string => {
  const bytes = fromBase64url(text)
  return bytes.ok ? Buffer.from(bytes.value).toString('base64') : `${text}=`
}

const both = { ceremony: 'both', seam: 'client data' } as const

/** Faults in what the phone signs as the page's part (WebAuthn §5.8.1). */
export const clientDataFaults = {
  'type-missing': {
    ...both,
    title: 'The client data has no type',
    expected: 'type_missing',
    apply: members(without('type')),
  },
  'type-empty': { ...both, title: 'The type is empty', expected: 'type_mismatch', apply: members(set('type', '')) },
  'type-mistyped': { ...both, title: 'The type is a number', expected: 'type_missing', apply: members(set('type', 1)) },
  'type-unknown': {
    ...both,
    title: 'The type is one that WebAuthn does not have',
    expected: 'type_mismatch',
    apply: members(set('type', 'payment.get')),
  },
  'type-of-other-ceremony': {
    ...both,
    title: 'The type is that of the other ceremony',
    expected: 'type_mismatch',
    apply: members((draft, { ceremony }) => ({
      ...draft,
      type: ceremony === 'registration' ? 'webauthn.get' : 'webauthn.create',
    })),
  },

  'challenge-missing': {
    ...both,
    title: 'The client data has no challenge',
    expected: 'challenge_missing',
    apply: members(without('challenge')),
  },
  'challenge-empty': {
    ...both,
    title: 'The challenge is empty',
    expected: 'challenge_mismatch',
    apply: members(set('challenge', '')),
  },
  'challenge-mistyped': {
    ...both,
    title: 'The challenge is a list of numbers',
    expected: 'challenge_missing',
    apply: members(set('challenge', [1, 2, 3])),
  },
  'challenge-wrong': {
    ...both,
    title: 'Another challenge is signed than the one that was asked',
    expected: 'challenge_mismatch',
    apply: members((draft, { random }) => ({ ...draft, challenge: toBase64url(random.bytes(32)) })),
  },
  'challenge-truncated': {
    ...both,
    title: 'The challenge lacks its last four characters',
    expected: 'challenge_mismatch',
    apply: members(challenge((text) => text.slice(0, -4))),
  },
  'challenge-in-plain-base64': {
    ...both,
    title: 'The challenge is in base64 with padding, not base64url',
    expected: 'challenge_encoding',
    apply: members(challenge(plainBase64)),
  },
  'challenge-in-upper-case': {
    ...both,
    title: 'The challenge went through something that ignores case',
    expected: 'challenge_mismatch',
    apply: members(challenge((text) => text.toUpperCase())),
  },

  'origin-missing': {
    ...both,
    title: 'The client data has no origin',
    expected: 'origin_missing',
    apply: members(without('origin')),
  },
  'origin-empty': {
    ...both,
    title: 'The origin is empty',
    expected: 'origin_mismatch',
    apply: members(set('origin', '')),
  },
  'origin-mistyped': {
    ...both,
    title: 'The origin is a list',
    expected: 'origin_missing',
    apply: members((draft) => ({ ...draft, origin: [draft.origin] })),
  },
  'origin-wrong': {
    ...both,
    title: 'The page belongs to somebody else: phishing',
    expected: 'origin_mismatch',
    apply: members(set('origin', 'https://phishing.example')),
  },
  'origin-null': {
    ...both,
    title: 'The page has an opaque origin',
    expected: 'origin_mismatch',
    apply: members(set('origin', 'null')),
  },
  'origin-other-scheme': {
    ...both,
    title: 'The page came by the other of http and https',
    expected: 'origin_mismatch',
    apply: members(
      origin((text) => text.replace(/^(https?):/, (_, scheme) => (scheme === 'http' ? 'https:' : 'http:'))),
    ),
  },
  'origin-other-port': {
    ...both,
    title: 'The page came from another port',
    expected: 'origin_mismatch',
    apply: members(origin((text) => `${text.replace(/:\d+$/, '')}:4443`)),
  },
  'origin-other-subdomain': {
    ...both,
    title: 'The page came from a subdomain that is not listed',
    expected: 'origin_mismatch',
    apply: members(origin((text) => text.replace('://', '://unlisted.'))),
  },
  'origin-with-slash': {
    ...both,
    title: 'The origin ends with a slash',
    expected: 'origin_mismatch',
    apply: members(origin((text) => `${text}/`)),
  },
  'origin-is-rp-id': {
    ...both,
    title: 'The origin is the RP ID, without scheme',
    expected: 'origin_mismatch',
    apply: members((draft, { credential }) => ({ ...draft, origin: credential.rpId })),
  },
  'origin-of-an-app': {
    ...both,
    title: 'The origin is that of an Android app',
    expected: 'origin_mismatch',
    apply: members(set('origin', 'android:apk-key-hash:2jmj7l5rSw0yVb_vlWAYkK_YBwk')),
  },

  'cross-origin': {
    ...both,
    title: 'The ceremony ran in a frame of another site',
    expected: 'cross_origin_not_allowed',
    apply: members(set('crossOrigin', true)),
  },
  'cross-origin-missing': {
    ...both,
    title: 'crossOrigin is left out, as old browsers do',
    expected: 'success',
    apply: members(without('crossOrigin')),
  },
  'cross-origin-empty': {
    ...both,
    title: 'crossOrigin is an empty text',
    expected: 'cross_origin_malformed',
    apply: members(set('crossOrigin', '')),
  },
  'cross-origin-mistyped': {
    ...both,
    title: 'crossOrigin is the text "false"',
    expected: 'cross_origin_malformed',
    apply: members(set('crossOrigin', 'false')),
  },
  'top-origin-without-cross-origin': {
    ...both,
    title: 'There is a topOrigin although the frame is not cross-origin',
    expected: 'top_origin_without_cross_origin',
    apply: members(set('topOrigin', 'https://phishing.example')),
  },
  'top-origin-empty': {
    ...both,
    title: 'The topOrigin is empty',
    expected: 'top_origin_without_cross_origin',
    apply: members(set('topOrigin', '')),
  },
  'top-origin-mistyped': {
    ...both,
    title: 'The topOrigin is a number',
    expected: 'top_origin_malformed',
    apply: members(set('topOrigin', 7)),
  },
  'top-origin-wrong': {
    ...both,
    title: 'The page around the frame is not one that may embed the RP',
    expected: 'top_origin_mismatch',
    needs: { profile: { top_origins: ['https://partner.example'] } },
    apply: members((draft) => ({ ...draft, crossOrigin: true, topOrigin: 'https://phishing.example' })),
  },
  'token-binding-malformed': {
    ...both,
    title: 'tokenBinding is a text',
    expected: 'token_binding_malformed',
    apply: members(set('tokenBinding', 'present')),
  },

  'client-data-empty': {
    ...both,
    title: 'The client data is empty',
    expected: 'malformed_client_data',
    apply: json(() => new Uint8Array(0)),
  },
  'client-data-truncated': {
    ...both,
    title: 'The client data is cut off',
    expected: 'malformed_client_data',
    apply: rewritten((text) => text.slice(0, -1)),
  },
  'client-data-list': {
    ...both,
    title: 'The client data is a list',
    expected: 'malformed_client_data',
    apply: rewritten((text) => `[${text}]`),
  },
  'client-data-trailing-text': {
    ...both,
    title: 'Something follows the client data',
    expected: 'malformed_client_data',
    apply: rewritten((text) => `${text}{}`),
  },
  'client-data-not-utf8': {
    ...both,
    title: 'The client data is not UTF-8',
    expected: 'client_data_not_utf8',
    apply: json((bytes) => concat(bytes.subarray(0, -1), utf8(',"x":"'), Uint8Array.of(0xff), utf8('"}'))),
  },
  'client-data-duplicate-member': {
    ...both,
    title: 'The client data has two challenges',
    expected: 'client_data_duplicate_member',
    apply: rewritten((text) => text.replace('{', '{"challenge":"AAAA",')),
  },
  'client-data-with-byte-order-mark': {
    ...both,
    title: 'The client data begins with a byte order mark',
    expected: 'success',
    apply: json((bytes) => concat(Uint8Array.of(0xef, 0xbb, 0xbf), bytes)),
  },
  'client-data-extra-member': {
    ...both,
    title: 'The client data has a member that nobody knows',
    expected: 'success',
    apply: members(set('futureMember', { a: [1] })),
  },
  'client-data-reordered': {
    ...both,
    title: 'The members of the client data come in another order',
    expected: 'success',
    apply: members((draft) => Object.fromEntries(Object.entries(draft).reverse())),
  },
  'client-data-spaced': {
    ...both,
    title: 'The client data is written with spaces and line breaks',
    expected: 'success',
    apply: rewritten((text) => JSON.stringify(JSON.parse(text), null, 2)),
  },
} as const satisfies FaultTable
