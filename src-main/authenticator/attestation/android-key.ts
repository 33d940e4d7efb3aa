import { concat } from '../../protocol/bytes.ts'
import type { CborValue } from '../canonical-cbor.ts'
import { publicKeyDer } from '../private-key.ts'
import { encodeKeyDescription, KEY_DESCRIPTION, KEYMASTER } from './android-key-description.ts'
import type { AttestationFormat } from './attestation-format.ts'
import { draftLeaf, issueChain } from './leaf-certificate.ts'
import { signAttestation } from './sign-attestation.ts'

// Keymaster's names of the NIST curves and of the digest that goes with each.
const KEY_PARAMETERS = {
  'P-256': { keySize: 256, ecCurve: 1, digest: [4] },
  'P-384': { keySize: 384, ecCurve: 2, digest: [5] },
  'P-521': { keySize: 521, ecCurve: 3, digest: [6] },
} as const

/** WebAuthn §8.4: the keystore issues a certificate for the credential's own key, which also signs. */
export const androidKey: AttestationFormat = {
  fmt: 'android-key',
  supports: (algorithm) => algorithm.kind === 'ec' && algorithm.name !== 'ES256K',
  attest: (input) => {
    const { algorithm, credentialKey: privateKey } = input
    if (privateKey.kty !== 'EC' || privateKey.crv === 'secp256k1') throw new Error('the keystore has NIST curves only')
    const { root, intermediate } = input.authority.formats['android-key']
    const description = input.strike('androidKeyDescription', {
      attestationVersion: 4,
      attestationSecurityLevel: KEYMASTER.trustedEnvironment,
      keymasterVersion: 41,
      keymasterSecurityLevel: KEYMASTER.trustedEnvironment,
      attestationChallenge: input.clientDataHash,
      uniqueId: new Uint8Array(0),
      softwareEnforced: {},
      teeEnforced: {
        purpose: [KEYMASTER.purposeSign],
        algorithm: KEYMASTER.algorithmEc,
        ...KEY_PARAMETERS[privateKey.crv],
        origin: KEYMASTER.originGenerated,
      },
    })
    const draft = draftLeaf({
      input,
      issuer: intermediate,
      subject: [['CN', 'Android Keystore Key']],
      publicKey: publicKeyDer(privateKey),
      random: input.random,
      extensions: [{ oid: KEY_DESCRIPTION, critical: false, value: encodeKeyDescription(description) }],
    })
    // Android's chains end with the root itself.
    const chain = issueChain(input, { draft, issuer: intermediate, above: [intermediate, root] })
    const data = concat(input.authenticatorData, input.clientDataHash)
    return new Map<string, CborValue>([
      ['alg', algorithm.cose],
      ['sig', signAttestation(input, { algorithm, privateKey, data })],
      ['x5c', chain],
    ])
  },
}
