import { type Bytes, fromBase64url, toBase64url } from '../../protocol/bytes.ts'
import type { Millis } from '../../protocol/clock.ts'
import type { RandomSource } from '../../protocol/random.ts'
import type { Base64url } from '../../protocol/webauthn-json.ts'
import { algorithmNamed } from '../algorithms.ts'
import { makeEcKey, makePrivateKey, type PrivateKey, publicKeyDer } from '../private-key.ts'
import { rsaKeyFromPool } from '../rsa-key-pool.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  type CertificateDraft,
  type CertificateExtension,
  certificatePolicies,
  extendedKeyUsage,
  type IssuerKey,
  issueCertificate,
  keyUsage,
  type Name,
  subjectKeyIdentifier,
} from './certificate.ts'

/** The formats that come with certificates; each has makers of its own. */
export const CERTIFIED_FORMATS = ['packed', 'fido-u2f', 'tpm', 'android-key', 'apple', 'android-safetynet'] as const

export type CertifiedFormat = (typeof CERTIFIED_FORMATS)[number]

/** A certificate that may issue others, with its key. */
export type Issuer = {
  readonly name: Name
  readonly privateKey: IssuerKey
  /** DER. */
  readonly certificate: Base64url
}

export type FormatAuthority = { readonly root: Issuer; readonly intermediate: Issuer }

/** The makers of a workspace's phones: plain JSON, so that it lives and travels with the workspace. */
export type AttestationAuthority = {
  readonly notBefore: Millis
  readonly notAfter: Millis
  /** What the makers' batch keys are derived from. */
  readonly secret: Base64url
  readonly formats: Readonly<Record<CertifiedFormat, FormatAuthority>>
}

type Validity = { readonly notBefore: Millis; readonly notAfter: Millis }

const ES256 = algorithmNamed('ES256')
const RS256 = algorithmNamed('RS256')

/** Positive, not zero, 16 octets. */
export const serialNumber = (random: RandomSource): Bytes => {
  const octets = random.bytes(16)
  octets[0] = ((octets[0] ?? 0) & 0x7f) | 0x40
  return octets
}

// What Microsoft writes into the certificates of those who issue for attestation keys.
const AIK_ISSUER: readonly CertificateExtension[] = [
  extendedKeyUsage('1.3.6.1.4.1.311.21.36', '2.23.133.8.3'),
  certificatePolicies({ policy: '1.3.6.1.4.1.311.21.31' }, { critical: false }),
]

const makeIssuer = (options: {
  readonly name: Name
  readonly parent: Issuer | undefined
  readonly validity: Validity
  readonly random: RandomSource
  readonly format: CertifiedFormat
  readonly privateKey?: IssuerKey
}): Issuer => {
  const { name, parent, validity, random, format, privateKey = makeEcKey(ES256, random) } = options
  const publicKey = publicKeyDer(privateKey)
  const draft: CertificateDraft = {
    version: 3,
    serialNumber: serialNumber(random),
    issuer: parent?.name ?? name,
    subject: name,
    ...validity,
    publicKey,
    extensions: [
      parent === undefined ? basicConstraints(true) : basicConstraints(true, 0),
      keyUsage('certificates'),
      subjectKeyIdentifier(publicKey),
      ...(parent === undefined ? [] : [authorityKeyIdentifier(publicKeyDer(parent.privateKey))]),
      ...(parent !== undefined && format === 'tpm' ? AIK_ISSUER : []),
    ],
  }
  return { name, privateKey, certificate: toBase64url(issueCertificate(draft, parent?.privateKey ?? privateKey)) }
}

const makeFormatAuthority = (
  format: CertifiedFormat,
  { validity, random, rootKey }: { validity: Validity; random: RandomSource; rootKey?: IssuerKey },
): FormatAuthority => {
  const name = (kind: string): Name => [
    ['C', 'AA'],
    ['O', 'Handset'],
    ['OU', 'Attestation Authority'],
    ['CN', `Handset ${format} ${kind}`],
  ]
  const common = { validity, random, format }
  const privateKey = rootKey === undefined ? {} : { privateKey: rootKey }
  const root = makeIssuer({ ...common, name: name('Root CA'), parent: undefined, ...privateKey })
  return { root, intermediate: makeIssuer({ ...common, name: name('Intermediate CA'), parent: root }) }
}

const YEAR = 365.25 * 24 * 3600 * 1000

/** Wide, so that a workspace's clock can be moved without running out of it, and inside what X.509 can say. */
const validityAround = (now: Millis): Validity => {
  const inRange = (time: Millis): Millis => Math.floor(Math.min(Math.max(time, 0), Date.UTC(9999, 0)) / 1000) * 1000
  return { notBefore: inRange(now - 10 * YEAR), notAfter: inRange(now + 40 * YEAR) }
}

type Source = { readonly random: RandomSource; readonly now: Millis }

/** Made once per workspace. The same source and the same time give the same authority. */
export const makeAttestationAuthority = async (source: Source): Promise<AttestationAuthority> =>
  authorityWith(source, await makePrivateKey(RS256, source.random))

/** The same without waiting, for a source that is repeatable: its RSA key is one of the public pool. */
export const makeRepeatableAuthority = (source: Source): AttestationAuthority =>
  authorityWith(source, rsaKeyFromPool(source.random))

/** An authority of the same names that nobody trusts. */
export const makeStrangers = ({ formats }: AttestationAuthority, source: Source): AttestationAuthority => {
  const { privateKey } = formats['fido-u2f'].root
  return authorityWith(source, rsaKeyFromPool(source.random, privateKey.kty === 'RSA' ? privateKey : undefined))
}

const authorityWith = ({ random, now }: Source, u2fRootKey: PrivateKey): AttestationAuthority => {
  if (u2fRootKey.kty !== 'RSA') throw new Error('the root of U2F tokens has an RSA key')
  const validity = validityAround(now)
  const make = (format: CertifiedFormat, rootKey?: IssuerKey): FormatAuthority =>
    makeFormatAuthority(format, { validity, random, ...(rootKey && { rootKey }) })
  return {
    ...validity,
    secret: toBase64url(random.bytes(32)),
    formats: {
      packed: make('packed'),
      // As Yubico's: an RSA root, whose signatures come without NULL parameters.
      'fido-u2f': make('fido-u2f', u2fRootKey),
      tpm: make('tpm'),
      'android-key': make('android-key'),
      apple: make('apple'),
      'android-safetynet': make('android-safetynet'),
    },
  }
}

export const certificateBytes = (issuer: Issuer): Bytes => {
  const der = fromBase64url(issuer.certificate)
  if (!der.ok) throw new Error(`certificate: ${der.error}`)
  return der.value
}

/** RFC 7468. */
export const toPem = (der: Uint8Array): string => {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** The roots to trust, one PEM text per certified format. */
export const rootsAsPem = (authority: AttestationAuthority): Readonly<Record<CertifiedFormat, string>> => {
  const pem = (format: CertifiedFormat): string => toPem(certificateBytes(authority.formats[format].root))
  return {
    packed: pem('packed'),
    'fido-u2f': pem('fido-u2f'),
    tpm: pem('tpm'),
    'android-key': pem('android-key'),
    apple: pem('apple'),
    'android-safetynet': pem('android-safetynet'),
  }
}
