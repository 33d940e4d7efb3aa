import { type Bytes, concat, fromBase64url, toBase64url, toHex, utf8 } from '../../../core/protocol/bytes.ts'
import type { AuthenticationResponseJson } from '../../../core/protocol/webauthn-json.ts'
import { integer, sequence } from '../der.ts'
import { CURVES, intToBytes } from '../private-key.ts'
import type { Seams } from '../seams.ts'
import { foreignKey } from './another-key.ts'
import { type FaultTable, faultsAt, flipBit } from './fault.ts'

const signature = (change: NonNullable<Seams['assertionSignature']>) => ({ assertionSignature: change })

const answered = (change: (response: AuthenticationResponseJson['response']) => unknown) => ({
  authenticationResponse: (draft: AuthenticationResponseJson) =>
    ({ ...draft, response: change(draft.response) }) as AuthenticationResponseJson,
})

/** r and s of an ECDSA-Sig-Value; the octets of each without sign octet. */
const parts = (der: Uint8Array): readonly [Uint8Array, Uint8Array] => {
  const body = der.subarray((der[1] ?? 0) < 0x80 ? 2 : 3)
  const length = body[1] ?? 0
  const unsigned = (octets: Uint8Array) => (octets[0] === 0 ? octets.subarray(1) : octets)
  return [unsigned(body.subarray(2, 2 + length)), unsigned(body.subarray(4 + length))]
}

const leftPadded = (octets: Uint8Array, length: number): Uint8Array =>
  concat(new Uint8Array(Math.max(0, length - octets.length)), octets)

const respelled = (text: string, change: (bytes: Bytes) => Uint8Array): string => {
  const bytes = fromBase64url(text)
  return bytes.ok ? toBase64url(change(bytes.value)) : text
}

const withSpacedClientData = <R extends { readonly clientDataJSON: string }>(response: R): R => ({
  ...response,
  clientDataJSON: respelled(response.clientDataJSON, (bytes) => concat(bytes, utf8(' '))),
})

const fault = faultsAt('authentication', 'assertion signature')
const ofEs256 = faultsAt('authentication', 'assertion signature', { algorithms: ['ES256'] })
const ofEc = faultsAt('authentication', 'assertion signature', { algorithms: ['ES256', 'ES384', 'ES512', 'ES256K'] })

/** Faults in the signature of an assertion (WebAuthn §6.3.3, §6.5.5), or in signed data changed afterwards. */
export const signatureFaults = {
  'signature-missing': fault('response_member_missing')(answered(({ signature: _, ...rest }) => rest)),
  'signature-mistyped': fault('response_member_malformed')(answered((response) => ({ ...response, signature: 1 }))),
  'signature-empty': fault('malformed_signature')(signature(() => new Uint8Array(0))),
  'signature-tampered': fault('signature_invalid')(signature((before) => flipBit(before, -2))),
  'signature-by-another-key': ofEs256('signature_invalid')({
    assertionSigning: (draft, context) => ({ ...draft, privateKey: foreignKey(context) }),
  }),
  'signature-over-other-data': fault('signature_invalid')({
    assertionSigning: (draft) => ({ ...draft, data: draft.data.slice(0, -32) }),
  }),
  'signature-in-raw-form': ofEs256('malformed_signature')(
    signature((der) => {
      const [r, s] = parts(der)
      return concat(leftPadded(r, 32), leftPadded(s, 32))
    }),
  ),
  'signature-trailing-byte': ofEc('malformed_signature')(signature((der) => concat(der, Uint8Array.of(0)))),
  'signature-truncated': ofEc('malformed_signature')(signature((der) => der.slice(0, -1))),
  'signature-other-half': ofEs256('success')(
    signature((der) => {
      const [r, s] = parts(der)
      return sequence(integer(r), integer(intToBytes(CURVES['P-256'].order - BigInt(`0x${toHex(s)}`))))
    }),
  ),
  'authenticator-data-changed-after-signing': faultsAt('authentication', 'authenticator data')('signature_invalid')(
    answered((response) => ({
      ...response,
      authenticatorData: respelled(response.authenticatorData, (bytes) =>
        bytes.map((octet, i) => (i === 34 ? 1 : octet)),
      ),
    })),
  ),
  'client-data-changed-after-signing': faultsAt('both', 'client data', { attestation: ['self', 'packed', 'fido-u2f'] })(
    { registration: 'attestation_signature_invalid', authentication: 'signature_invalid' },
  )({
    registrationResponse: (draft) => ({ ...draft, response: withSpacedClientData(draft.response) }),
    authenticationResponse: (draft) => ({ ...draft, response: withSpacedClientData(draft.response) }),
  }),
} as const satisfies FaultTable
