import { type Bytes, fromBase64url, toBase64url } from '../../../core/protocol/bytes.ts'
import type { RandomSource } from '../../../core/protocol/random.ts'
import type { Millis } from '../../../core/protocol/time.ts'
import type { Base64url } from '../../../core/protocol/webauthn-json.ts'
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

/** The formats with certificates; each has separate makers. */
export const CERTIFIED_FORMATS = ['packed', 'fido-u2f', 'tpm', 'android-key', 'apple', 'android-safetynet'] as const

export type CertifiedFormat = (typeof CERTIFIED_FORMATS)[number]

/** Every way in which a phone can vouch for a key, by our own name. */
export type AttestationKind = CertifiedFormat | 'none' | 'self'

export const isCertified = (kind: AttestationKind): kind is CertifiedFormat => kind !== 'none' && kind !== 'self'

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
  /** The source of the makers' batch keys. */
  readonly secret: Base64url
  /** Added for a format when it is first needed. */
  readonly formats: Readonly<Partial<Record<CertifiedFormat, FormatAuthority>>>
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

// Microsoft's extensions in the certificates that issue attestation keys.
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

/** Wide, so that a workspace's clock can be moved without leaving it, and within the dates of X.509. */
const validityAround = (now: Millis): Validity => {
  const inRange = (time: Millis): Millis => Math.floor(Math.min(Math.max(time, 0), Date.UTC(9999, 0)) / 1000) * 1000
  return { notBefore: inRange(now - 10 * YEAR), notAfter: inRange(now + 40 * YEAR) }
}

type Source = { readonly random: RandomSource; readonly now: Millis }

/** Without makers: most phones need none, and to make them takes longer than a whole ceremony. */
export const beginAttestationAuthority = ({ random, now }: Source): AttestationAuthority => ({
  ...validityAround(now),
  secret: toBase64url(random.bytes(32)),
  formats: {},
})

/** The makers of all formats but U2F join: a chain that is broken on purpose takes a part from another format. */
export const addMakers = (authority: AttestationAuthority, random: RandomSource): AttestationAuthority => {
  const make = (format: CertifiedFormat): FormatAuthority =>
    makeFormatAuthority(format, { validity: authority, random })
  return {
    ...authority,
    formats: {
      ...authority.formats,
      packed: make('packed'),
      tpm: make('tpm'),
      'android-key': make('android-key'),
      apple: make('apple'),
      'android-safetynet': make('android-safetynet'),
    },
  }
}

/** With all makers but those of U2F. The same source and the same time give the same authority. */
export const makeAttestationAuthority = (source: Source): AttestationAuthority =>
  addMakers(beginAttestationAuthority(source), source.random)

/** The makers of U2F tokens join. Their root has an RSA key, as Yubico's has: to generate one takes a tenth of a second. */
export const addU2fMakers = async (
  authority: AttestationAuthority,
  random: RandomSource,
): Promise<AttestationAuthority> => withU2fRoot(authority, random, await makePrivateKey(RS256, random))

/** With those of U2F and without waiting, for a source that is repeatable: the RSA key is one of the public pool. */
export const makeRepeatableAuthority = (source: Source): AttestationAuthority =>
  withU2fRoot(makeAttestationAuthority(source), source.random, rsaKeyFromPool(source.random))

/** An authority with the same names that no root vouches for. */
export const makeStrangers = ({ formats }: AttestationAuthority, source: Source): AttestationAuthority => {
  const strangers = makeAttestationAuthority(source)
  const known = formats['fido-u2f']?.root.privateKey
  if (known === undefined) return strangers
  return withU2fRoot(strangers, source.random, rsaKeyFromPool(source.random, known.kty === 'RSA' ? known : undefined))
}

const withU2fRoot = (
  authority: AttestationAuthority,
  random: RandomSource,
  rootKey: PrivateKey,
): AttestationAuthority => {
  if (rootKey.kty !== 'RSA') throw new Error('the root of U2F tokens has an RSA key')
  const made = makeFormatAuthority('fido-u2f', { validity: authority, random, rootKey })
  return { ...authority, formats: { ...authority.formats, 'fido-u2f': made } }
}

/** The caller has made sure that the makers of its format exist. */
export const makersOf = ({ formats }: AttestationAuthority, format: CertifiedFormat): FormatAuthority => {
  const makers = formats[format]
  if (makers === undefined) throw new Error(`the makers of ${format} were not made`)
  return makers
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
  const pem = (format: CertifiedFormat): string => toPem(certificateBytes(makersOf(authority, format).root))
  return {
    packed: pem('packed'),
    'fido-u2f': pem('fido-u2f'),
    tpm: pem('tpm'),
    'android-key': pem('android-key'),
    apple: pem('apple'),
    'android-safetynet': pem('android-safetynet'),
  }
}
