import { type Bytes, concat, toBase64url, utf8 } from '../../../../core/protocol/bytes.ts'
import type { RandomSource } from '../../../../core/protocol/random.ts'
import type { Millis } from '../../../../core/protocol/time.ts'
import { type Algorithm, ES256, RS256, sha256 } from '../../algorithms.ts'
import type { AttestationStatement } from '../../authenticator-data.ts'
import { cborMap } from '../../canonical-cbor.ts'
import { octetString, sequence, tagged, taggedPrimitive } from '../../der.ts'
import type { AuthenticatorModel } from '../../models.ts'
import { ecPoint, makeEcKey, type PrivateKey, publicKeyDer, rsaKeyFromPool, sign } from '../../private-key.ts'
import type { ApplySeam, SigningDraft } from '../../seams.ts'
import {
  type AuthorizationDraft,
  encodeKeyDescription,
  KEY_DESCRIPTION,
  KEYMASTER,
  SECURITY_LEVEL,
} from '../android-key-description.ts'
import {
  type AttestationAuthority,
  aaguidExtension,
  authorityKeyIdentifier,
  basicConstraints,
  type CertificateDraft,
  type CertificateExtension,
  certificateBytes,
  findMakers,
  type Issuer,
  issueCertificate,
  keyUsage,
  labelledRandom,
  type Name,
  serialNumber,
  subjectKeyIdentifier,
} from '../attestation-authority.ts'

export type AttestationInput = {
  readonly authenticatorData: Bytes
  readonly clientDataHash: Bytes
  readonly rpIdHash: Uint8Array
  readonly credentialId: Uint8Array
  readonly credentialKey: PrivateKey
  readonly algorithm: Algorithm
  readonly aaguid: Bytes
  readonly model: AuthenticatorModel
  readonly authority: AttestationAuthority
  readonly random: RandomSource
  readonly now: Millis
  readonly applySeam: ApplySeam
}

export type AttestationFormat = {
  readonly fmt: string
  supports(algorithm: Algorithm): boolean
  attest(input: AttestationInput): AttestationStatement
}

type Signing = Omit<SigningDraft, 'data'> & Partial<Pick<SigningDraft, 'data'>>

/** Signs the authenticator data and the hash of the client data, unless a format signs other data. */
export const signAttestation = (input: AttestationInput, draft: Signing): Bytes => {
  const { data = concat(input.authenticatorData, input.clientDataHash) } = draft
  const signing = input.applySeam('attestationSigning', { ...draft, data })
  return input.applySeam('attestationSignature', sign({ ...signing, random: input.random }))
}

// WebAuthn §8.2.1: subject of an attestation certificate.
const batchSubject = ({ name }: AuthenticatorModel): Name => [
  ['C', 'AA'],
  ['O', 'Handset'],
  ['OU', 'Authenticator Attestation'],
  ['CN', `Handset ${name} Batch`],
]

type Leaf = {
  readonly issuer: Issuer
  /** The certificates that follow in the chain: the issuer's unless set otherwise. */
  readonly above?: readonly Issuer[]
  readonly subject: Name
  readonly key: PrivateKey
  readonly random: RandomSource
  readonly extensions?: readonly CertificateExtension[]
  readonly withoutNull?: boolean
}

export const issueChain = (
  { authority, applySeam }: AttestationInput,
  { issuer, above = [issuer], subject, key, random, extensions = [], withoutNull = false }: Leaf,
): readonly Bytes[] => {
  const draft: CertificateDraft = {
    version: 3,
    serialNumber: serialNumber(random),
    issuer: issuer.name,
    notBefore: authority.notBefore,
    notAfter: authority.notAfter,
    ...{ subject, publicKey: publicKeyDer(key), withoutNull },
    extensions: [
      basicConstraints(false),
      keyUsage('digitalSignature'),
      subjectKeyIdentifier(key),
      authorityKeyIdentifier(issuer.privateKey),
      ...extensions,
    ],
  }
  const leaf = applySeam('attestationCertificate', { draft, issuerKey: issuer.privateKey })
  return applySeam('attestationChain', [issueCertificate(leaf.draft, leaf.issuerKey), ...above.map(certificateBytes)])
}

/** WebAuthn §8.2, basic attestation: one key and one certificate for all phones of a model. */
export const packed: AttestationFormat = {
  fmt: 'packed',
  supports: () => true,
  attest: (input) => {
    const { root, intermediate: issuer } = findMakers(input.authority, 'packed')
    const { withoutAaguid, rootInChain } = input.model.variant ?? {}
    const random = labelledRandom(input.authority.secret, `packed/${input.model.aaguid}`)
    const privateKey = makeEcKey(ES256, random)
    const chain = issueChain(input, {
      ...{ issuer, key: privateKey, random, subject: batchSubject(input.model) },
      above: rootInChain ? [issuer, root] : [issuer],
      extensions: withoutAaguid ? [] : [aaguidExtension(input.aaguid)],
    })
    return cborMap({ alg: ES256.cose, sig: signAttestation(input, { algorithm: ES256, privateKey }), x5c: chain })
  },
}

/** WebAuthn §8.2, self attestation: the credential's own key signs. */
export const packedSelf: AttestationFormat = {
  fmt: 'packed',
  supports: () => true,
  attest: (input) => {
    const { algorithm, credentialKey: privateKey } = input
    return cborMap({ alg: algorithm.cose, sig: signAttestation(input, { algorithm, privateKey }) })
  },
}

/** WebAuthn §8.6: the format of U2F tokens. It allows only one certificate, so the root issues it. */
export const fidoU2f: AttestationFormat = {
  fmt: 'fido-u2f',
  supports: ({ name }) => name === 'ES256',
  attest: (input) => {
    const { credentialKey } = input
    if (credentialKey.kty !== 'EC') throw new Error('U2F knows P-256 keys only')
    const issuer = findMakers(input.authority, 'fido-u2f').root
    const random = labelledRandom(input.authority.secret, `fido-u2f/${input.model.name}`)
    const privateKey = makeEcKey(ES256, random)
    const subject = batchSubject(input.model)
    const chain = issueChain(input, { issuer, above: [], subject, key: privateKey, random, withoutNull: true })
    // FIDO U2F Raw Message Formats §4.3: verificationData.
    const data = concat(
      Uint8Array.of(0),
      input.rpIdHash,
      input.clientDataHash,
      input.credentialId,
      ecPoint(credentialKey),
    )
    return cborMap({ sig: signAttestation(input, { algorithm: ES256, privateKey, data }), x5c: chain })
  },
}

export const APPLE_NONCE = '1.2.840.113635.100.8.2'

/** WebAuthn §8.8: an anonymous certificate per credential; its nonce replaces a signature. */
export const apple: AttestationFormat = {
  fmt: 'apple',
  supports: ({ name }) => name === 'ES256',
  attest: (input) => {
    const issuer = findMakers(input.authority, 'apple').intermediate
    const nonce = input.applySeam('appleNonce', sha256(input.authenticatorData, input.clientDataHash))
    const chain = issueChain(input, {
      ...{ issuer, key: input.credentialKey, random: input.random },
      subject: [
        ['O', 'Handset'],
        ['OU', 'AAA Certification'],
        ['CN', 'Anonymous Attestation'],
      ],
      extensions: [{ oid: APPLE_NONCE, critical: false, value: sequence(tagged(1, octetString(nonce))) }],
    })
    return cborMap({ ...(input.model.variant?.namesAlgorithm && { alg: input.algorithm.cose }), x5c: chain })
  },
}

const HOST = 'attest.android.com'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** RFC 5280 §4.2.1.6: the alternative name that TLS compares with a host's. */
export const hostAlternativeName = (host: string): CertificateExtension => {
  return { oid: '2.5.29.17', critical: false, value: sequence(taggedPrimitive(2, utf8(host))) }
}

/** WebAuthn §8.5: a JWS in which the maker's server vouches for the phone. */
export const androidSafetynet: AttestationFormat = {
  fmt: 'android-safetynet',
  supports: () => true,
  attest: (input) => {
    const issuer = findMakers(input.authority, 'android-safetynet').intermediate
    const random = labelledRandom(input.authority.secret, 'android-safetynet')
    const privateKey = rsaKeyFromPool(random)
    const chain = issueChain(input, {
      ...{ issuer, key: privateKey, random, extensions: [hostAlternativeName(HOST)] },
      subject: [
        ['O', 'Handset'],
        ['CN', HOST],
      ],
    })
    const nonce = sha256(input.authenticatorData, input.clientDataHash)
    const claims = input.applySeam('safetyNetClaims', {
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
    return cborMap({ ver: '214815022', response: utf8(`${signed}.${toBase64url(signature)}`) })
  },
}

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
    const { root, intermediate: issuer } = findMakers(input.authority, 'android-key')
    const description = input.applySeam('androidKeyDescription', {
      ...keystoreOf(input),
      attestationChallenge: input.clientDataHash,
      uniqueId: new Uint8Array(0),
      ...authorizationsOf(input, KEY_PARAMETERS[privateKey.crv]),
    })
    const chain = issueChain(input, {
      ...{ issuer, key: privateKey, random: input.random },
      subject: [['CN', 'Android Keystore Key']],
      // Android's chains end with the root itself.
      above: [issuer, root],
      extensions: [{ oid: KEY_DESCRIPTION, critical: false, value: encodeKeyDescription(description) }],
    })
    return cborMap({ alg: algorithm.cose, sig: signAttestation(input, { algorithm, privateKey }), x5c: chain })
  },
}

/** WebAuthn §8.9: one statement of the phone's batch and one of its keystore, about the same credential. */
export const compound: AttestationFormat = {
  fmt: 'compound',
  supports: androidKey.supports,
  attest: (input) => [packed, androidKey].map(({ fmt, attest }) => cborMap({ fmt, attStmt: attest(input) })),
}

/** Versions of attestation and Keymaster by the place of the key. */
const KEYSTORES = {
  software: [2, 1, SECURITY_LEVEL.software],
  trusted: [4, 41, SECURITY_LEVEL.trustedEnvironment],
  strongbox: [300, 300, SECURITY_LEVEL.strongbox],
} as const

const keystoreOf = ({ model }: AttestationInput) => {
  const [attestationVersion, keymasterVersion, level] = KEYSTORES[model.variant?.keyLevel ?? 'trusted']
  return { attestationVersion, keymasterVersion, attestationSecurityLevel: level, keymasterSecurityLevel: level }
}

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
