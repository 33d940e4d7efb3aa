import { type Bytes, concat, fromBase64url, toBase64url, toHex, utf8 } from '../../../core/protocol/bytes.ts'
import { integer, sequence } from '../der.ts'
import { CURVES, intToBytes } from '../private-key.ts'
import type { Seams } from '../seams.ts'
import { foreignKey } from './another-key.ts'
import { changing, type FaultTable, faultsAt, flipBit } from './fault.ts'
import { inner, innerWith } from './response-faults.ts'

const signing = changing('assertionSigning')

const signature = (change: NonNullable<Seams['assertionSignature']>) => ({ assertionSignature: change })

/** r and s of an ECDSA-Sig-Value; the octets of each without sign octet. */
const parts = (der: Uint8Array): readonly [Uint8Array, Uint8Array] => {
  const body = der.subarray((der[1] ?? 0) < 0x80 ? 2 : 3)
  const length = body[1] ?? 0
  const unsigned = (octets: Uint8Array) => (octets[0] === 0 ? octets.subarray(1) : octets)
  return [unsigned(body.subarray(2, 2 + length)), unsigned(body.subarray(4 + length))]
}

const leftPadded = (octets: Uint8Array, length: number): Uint8Array =>
  concat(new Uint8Array(Math.max(0, length - octets.length)), octets)

/** Changes the octets of a signed member of the answer. */
const changedAfterSigning = (name: 'clientDataJSON' | 'authenticatorData', change: (bytes: Bytes) => Uint8Array) =>
  inner(({ [name]: text }) => {
    const bytes = fromBase64url(String(text))
    return bytes.ok ? { [name]: toBase64url(change(bytes.value)) } : {}
  })

const fault = faultsAt('authentication', 'assertion signature')
const ofEs256 = faultsAt('authentication', 'assertion signature', { algorithms: ['ES256'] })
const ofEc = faultsAt('authentication', 'assertion signature', { algorithms: ['ES256', 'ES384', 'ES512', 'ES256K'] })

/** Faults in the signature of an assertion (WebAuthn §6.3.3, §6.5.5), or in signed data changed afterwards. */
export const signatureFaults = {
  'signature-missing': fault('response_member_missing')(innerWith({ signature: undefined })),
  'signature-mistyped': fault('response_member_malformed')(innerWith({ signature: 1 })),
  'signature-empty': fault('malformed_signature')(signature(() => new Uint8Array(0))),
  'signature-tampered': fault('signature_invalid')(signature((before) => flipBit(before, -2))),
  'signature-by-another-key': ofEs256('signature_invalid')(
    signing((_, context) => ({ privateKey: foreignKey(context) })),
  ),
  'signature-over-other-data': fault('signature_invalid')(signing((draft) => ({ data: draft.data.slice(0, -32) }))),
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
    changedAfterSigning('authenticatorData', (bytes) => bytes.map((octet, i) => (i === 34 ? 1 : octet))),
  ),
  'client-data-changed-after-signing': faultsAt('both', 'client data', { attestation: ['self', 'packed', 'fido-u2f'] })(
    { registration: 'attestation_signature_invalid', authentication: 'signature_invalid' },
  )(changedAfterSigning('clientDataJSON', (bytes) => concat(bytes, utf8(' ')))),
} as const satisfies FaultTable
