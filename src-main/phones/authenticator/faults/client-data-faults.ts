import { concat, fromBase64url, toBase64url, utf8 } from '../../../core/protocol/bytes.ts'
import type { Seams } from '../seams.ts'
import { changing, type FaultTable, faultsAt } from './fault.ts'

/** Changes members of the client data. */
const members = changing('clientData')

const set = (name: string, value: unknown) => members(() => ({ [name]: value }))

/** Removes a member: `undefined` is left out when the draft is written. */
const without = (name: string) => set(name, undefined)

const origin = (change: (origin: string) => string) => members((draft) => ({ origin: change(String(draft.origin)) }))

const challenge = (change: (challenge: string) => string) =>
  members((draft) => ({ challenge: change(String(draft.challenge)) }))

const json = (change: NonNullable<Seams['clientDataJson']>) => ({ clientDataJson: change })

const rewritten = (change: (text: string) => string) => json((bytes) => utf8(change(new TextDecoder().decode(bytes))))

/** If both forms are equal, adds a line break, as many encoders of plain base64 do. */
const plainBase64 = (text: string): string => {
  const bytes = fromBase64url(text)
  const plain = bytes.ok ? Buffer.from(bytes.value).toString('base64') : `${text}=`
  return plain === text ? `${plain}\n` : plain
}

/** Keeps whole groups of four letters: whether a strict decoder refuses another length depends on the letters. */
const truncated = (text: string): string => text.slice(0, Math.ceil(text.length / 4 - 1) * 4)

/** Keeps the last letter: in upper case, a strict decoder would refuse it only by chance. */
const upperCase = (text: string): string => text.slice(0, -1).toUpperCase() + text.slice(-1)

const fault = faultsAt('both', 'client data')

/** Faults in the client data, which the phone signs in place of the page (WebAuthn §5.8.1). */
export const clientDataFaults = {
  'type-missing': fault('type_missing')(without('type')),
  'type-empty': fault('type_mismatch')(set('type', '')),
  'type-mistyped': fault('type_missing')(set('type', 1)),
  'type-unknown': fault('type_mismatch')(set('type', 'payment.get')),
  'type-of-other-ceremony': fault('type_mismatch')(
    members((_, { ceremony }) => ({ type: ceremony === 'registration' ? 'webauthn.get' : 'webauthn.create' })),
  ),

  'challenge-missing': fault('challenge_missing')(without('challenge')),
  'challenge-empty': fault('challenge_mismatch')(set('challenge', '')),
  'challenge-mistyped': fault('challenge_missing')(set('challenge', [1, 2, 3])),
  // As long as the right one, to find servers that compare only lengths.
  'challenge-wrong': fault('challenge_mismatch')(
    members((draft, { random }) => ({
      challenge: toBase64url(random.bytes(Math.floor((String(draft.challenge).length * 3) / 4))),
    })),
  ),
  'challenge-truncated': fault('challenge_mismatch')(challenge(truncated)),
  'challenge-in-plain-base64': fault('challenge_encoding')(challenge(plainBase64)),
  'challenge-in-upper-case': fault('challenge_mismatch')(challenge(upperCase)),

  'origin-missing': fault('origin_missing')(without('origin')),
  'origin-empty': fault('origin_mismatch')(set('origin', '')),
  'origin-mistyped': fault('origin_missing')(members((draft) => ({ origin: [draft.origin] }))),
  'origin-wrong': fault('origin_mismatch')(set('origin', 'https://phishing.example')),
  'origin-null': fault('origin_mismatch')(set('origin', 'null')),
  'origin-other-scheme': fault('origin_mismatch')(
    origin((text) => text.replace(/^(https?):/, (_, scheme) => (scheme === 'http' ? 'https:' : 'http:'))),
  ),
  'origin-other-port': fault('origin_mismatch')(origin((text) => `${text.replace(/:\d+$/, '')}:4443`)),
  'origin-other-subdomain': fault('origin_mismatch')(origin((text) => text.replace('://', '://unlisted.'))),
  'origin-with-slash': fault('origin_mismatch')(origin((text) => `${text}/`)),
  'origin-is-rp-id': fault('origin_mismatch')(members((_, { credential }) => ({ origin: credential.rpId }))),
  'origin-of-an-app': fault('origin_mismatch')(set('origin', 'android:apk-key-hash:2jmj7l5rSw0yVb_vlWAYkK_YBwk')),

  'cross-origin': fault('cross_origin_not_allowed')(set('crossOrigin', true)),
  'cross-origin-missing': fault('success')(without('crossOrigin')),
  'cross-origin-empty': fault('cross_origin_malformed')(set('crossOrigin', '')),
  'cross-origin-mistyped': fault('cross_origin_malformed')(set('crossOrigin', 'false')),
  'top-origin-without-cross-origin': fault('top_origin_without_cross_origin')(
    set('topOrigin', 'https://phishing.example'),
  ),
  'top-origin-empty': fault('top_origin_without_cross_origin')(set('topOrigin', '')),
  'top-origin-mistyped': fault('top_origin_malformed')(set('topOrigin', 7)),
  'top-origin-wrong': fault('top_origin_mismatch', { profile: { top_origins: ['https://partner.example'] } })(
    members(() => ({ crossOrigin: true, topOrigin: 'https://phishing.example' })),
  ),
  'token-binding-malformed': fault('token_binding_malformed')(set('tokenBinding', 'present')),

  'client-data-empty': fault('malformed_client_data')(json(() => new Uint8Array(0))),
  'client-data-truncated': fault('malformed_client_data')(rewritten((text) => text.slice(0, -1))),
  'client-data-list': fault('malformed_client_data')(rewritten((text) => `[${text}]`)),
  'client-data-trailing-text': fault('malformed_client_data')(rewritten((text) => `${text}{}`)),
  'client-data-not-utf8': fault('client_data_not_utf8')(
    json((bytes) => concat(bytes.subarray(0, -1), utf8(',"x":"'), Uint8Array.of(0xff), utf8('"}'))),
  ),
  'client-data-duplicate-member': fault('client_data_duplicate_member')(
    rewritten((text) => text.replace('{', '{"challenge":"AAAA",')),
  ),
  'client-data-with-byte-order-mark': fault('success')(json((bytes) => concat(Uint8Array.of(0xef, 0xbb, 0xbf), bytes))),
  'client-data-extra-member': fault('success')(set('futureMember', { a: [1] })),
  'client-data-reordered': fault('success')({
    clientData: (draft) => Object.fromEntries(Object.entries(draft).reverse()),
  }),
  'client-data-spaced': fault('success')(rewritten((text) => JSON.stringify(JSON.parse(text), null, 2))),
} as const satisfies FaultTable
