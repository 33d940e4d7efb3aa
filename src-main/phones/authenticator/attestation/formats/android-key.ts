import { concat } from '../../../../core/protocol/bytes.ts'
import type { CborValue } from '../../canonical-cbor.ts'
import { publicKeyDer } from '../../private-key.ts'
import {
  type AuthorizationDraft,
  encodeKeyDescription,
  KEY_DESCRIPTION,
  KEYMASTER,
  SECURITY_LEVEL,
} from '../android-key-description.ts'
import { makersOf } from '../attestation-authority.ts'
import { labelledRandom } from '../labelled-random.ts'
import {
  type AttestationFormat,
  type AttestationInput,
  draftLeaf,
  issueChain,
  signAttestation,
} from './attestation-format.ts'

// Keymaster's names of the NIST curves and of their digests.
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
    const { root, intermediate } = makersOf(input.authority, 'android-key')
    const description = input.strike('androidKeyDescription', {
      ...keystoreOf(input),
      attestationChallenge: input.clientDataHash,
      uniqueId: new Uint8Array(0),
      ...authorizationsOf(input, KEY_PARAMETERS[privateKey.crv]),
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

const keystoreOf = ({ model }: AttestationInput) => {
  switch (model.variant?.keyLevel) {
    case 'software':
      return versions(2, 1, SECURITY_LEVEL.software)
    case 'strongbox':
      return versions(300, 300, SECURITY_LEVEL.strongbox)
    default:
      return versions(4, 41, SECURITY_LEVEL.trustedEnvironment)
  }
}

const versions = (attestationVersion: number, keymasterVersion: number, level: number) => ({
  attestationVersion,
  attestationSecurityLevel: level,
  keymasterVersion,
  keymasterSecurityLevel: level,
})

type KeyParameters = (typeof KEY_PARAMETERS)[keyof typeof KEY_PARAMETERS]

/** Software enforces caller and time; hardware, if the phone has any, enforces the use of the key. */
const authorizationsOf = (
  { authority, model, now }: AttestationInput,
  parameters: KeyParameters,
): { readonly softwareEnforced: AuthorizationDraft; readonly teeEnforced: AuthorizationDraft } => {
  const random = labelledRandom(authority.secret, `android/${model.aaguid}`)
  const asked = {
    creationDateTime: now,
    applicationId: { packageName: 'com.handset.fido', version: 1, signer: random.bytes(32) },
  }
  const key = {
    purpose: [KEYMASTER.purposeSign],
    algorithm: KEYMASTER.algorithmEc,
    ...parameters,
    userAuthType: KEYMASTER.anyUserAuth,
    authTimeout: 10,
    origin: KEYMASTER.originGenerated,
  }
  if (model.variant?.keyLevel === 'software') return { softwareEnforced: { ...key, ...asked }, teeEnforced: {} }
  const machine = {
    rootOfTrust: { verifiedBootKey: random.bytes(32), verifiedBootHash: random.bytes(32) },
    osVersion: 150_000,
    osPatchLevel: 202_511,
    vendorPatchLevel: 20_251_105,
    bootPatchLevel: 20_251_105,
  }
  return { softwareEnforced: asked, teeEnforced: { ...key, ...machine } }
}
