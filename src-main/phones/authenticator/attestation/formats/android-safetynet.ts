import { toBase64url, utf8 } from '../../../../core/protocol/bytes.ts'
import { algorithmNamed, sha256 } from '../../algorithms.ts'
import type { CborValue } from '../../canonical-cbor.ts'
import { sequence, taggedPrimitive } from '../../der.ts'
import { publicKeyDer, rsaKeyFromPool } from '../../private-key.ts'
import { type CertificateExtension, makersOf } from '../attestation-authority.ts'
import { labelledRandom } from '../labelled-random.ts'
import { type AttestationFormat, draftLeaf, issueChain, signAttestation } from './attestation-format.ts'

const RS256 = algorithmNamed('RS256')
const HOST = 'attest.android.com'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const alternativeName: CertificateExtension = {
  oid: '2.5.29.17',
  critical: false,
  value: sequence(taggedPrimitive(2, utf8(HOST))),
}

/** WebAuthn §8.5: a JWS in which the maker's server vouches for the phone. */
export const androidSafetynet: AttestationFormat = {
  fmt: 'android-safetynet',
  supports: () => true,
  attest: (input) => {
    const issuer = makersOf(input.authority, 'android-safetynet').intermediate
    const random = labelledRandom(input.authority.secret, 'android-safetynet')
    const privateKey = rsaKeyFromPool(random)
    const draft = draftLeaf({
      input,
      issuer,
      subject: [
        ['O', 'Handset'],
        ['CN', HOST],
      ],
      publicKey: publicKeyDer(privateKey),
      random,
      extensions: [alternativeName],
    })
    const chain = issueChain(input, { draft, issuer, above: [issuer] })
    const nonce = sha256(input.authenticatorData, input.clientDataHash)
    const claims = input.strike('safetyNetClaims', {
      nonce: base64(nonce),
      timestampMs: input.now,
      apkPackageName: 'com.google.android.gms',
      ctsProfileMatch: true,
      basicIntegrity: true,
    })
    const header = { alg: 'RS256', x5c: chain.map(base64) }
    const part = (value: unknown): string => toBase64url(utf8(JSON.stringify(value)))
    const signed = `${part(header)}.${part(claims)}`
    const signature = signAttestation(input, { algorithm: RS256, privateKey, data: utf8(signed) })
    return new Map<string, CborValue>([
      ['ver', '214815022'],
      ['response', utf8(`${signed}.${toBase64url(signature)}`)],
    ])
  },
}
