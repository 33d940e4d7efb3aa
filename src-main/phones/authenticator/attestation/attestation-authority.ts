import { createHmac } from 'node:crypto'
import { type Bytes, concat, fromBase64url, toBase64url, utf8 } from '../../../core/protocol/bytes.ts'
import type { RandomSource } from '../../../core/protocol/random.ts'
import { unwrap } from '../../../core/protocol/result.ts'
import type { Millis } from '../../../core/protocol/time.ts'
import type { Base64url } from '../../../core/protocol/webauthn-json.ts'
import { digest, ES256, RS256 } from '../algorithms.ts'
import * as asn1 from '../der.ts'
import { CERTIFIED_FORMATS, type CertifiedFormat } from '../models.ts'
import {
  type EcPrivateKey,
  makeEcKey,
  makeRsaKey,
  type PrivateKey,
  publicKeyBits,
  publicKeyDer,
  type RsaPrivateKey,
  rsaKeyFromPool,
  sign,
} from '../private-key.ts'

export type Issuer = {
  readonly name: Name
  readonly privateKey: IssuerKey
  /** DER. */
  readonly certificate: Base64url
}

export type FormatAuthority = { readonly root: Issuer; readonly intermediate: Issuer }

type Validity = { readonly notBefore: Millis; readonly notAfter: Millis }

/** The makers of a workspace's phones: plain JSON, so it can be stored and moved with the workspace. */
export type AttestationAuthority = Validity & {
  /** Secret from which the makers' batch keys are drawn. */
  readonly secret: Base64url
  /** A format's makers are added when they are first needed. */
  readonly formats: Readonly<Partial<Record<CertifiedFormat, FormatAuthority>>>
}

export type Name = readonly (readonly ['C' | 'O' | 'OU' | 'CN', string])[]

export type CertificateExtension = { readonly oid: string; readonly critical: boolean; readonly value: Uint8Array }

export type IssuerKey = Readonly<EcPrivateKey> | Readonly<RsaPrivateKey>

/** A certificate before it is signed (RFC 5280 §4.1). */
export type CertificateDraft = Validity & {
  readonly version: 1 | 3
  readonly serialNumber: Uint8Array
  readonly issuer: Name
  readonly subject: Name
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Bytes
  readonly extensions: readonly CertificateExtension[]
  /** RFC 4055 §5: an RSA signature may have NULL parameters or none; makers do either. */
  readonly withoutNull?: boolean
  /** Unused bits in the last octet of the signature's BIT STRING; zero, except in broken certificates. */
  readonly unusedBits?: number
}

const ATTRIBUTE = { C: '2.5.4.6', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3' } as const

const encodeName = (name: Name): Bytes =>
  asn1.sequence(
    ...name.map(([attribute, text]) =>
      asn1.set(
        asn1.sequence(
          asn1.objectIdentifier(ATTRIBUTE[attribute]),
          attribute === 'C' ? asn1.printableString(text) : asn1.utf8String(text),
        ),
      ),
    ),
  )

const encodeExtension = ({ oid, critical, value }: CertificateExtension): Bytes =>
  asn1.sequence(asn1.objectIdentifier(oid), ...(critical ? [asn1.boolean(true)] : []), asn1.octetString(value))

const SIGNATURE_ALGORITHM = {
  EC: { algorithm: ES256, oid: asn1.objectIdentifier('1.2.840.10045.4.3.2') },
  RSA: { algorithm: RS256, oid: asn1.objectIdentifier('1.2.840.113549.1.1.11') },
} as const

/** Signs a certificate. Attestation keys sign deterministically, even if the phone's source is not repeatable. */
export const issueCertificate = (draft: CertificateDraft, issuerKey: IssuerKey): Bytes => {
  const { algorithm, oid } = SIGNATURE_ALGORITHM[issuerKey.kty]
  const identifier = asn1.sequence(
    oid,
    ...(issuerKey.kty === 'RSA' && draft.withoutNull !== true ? [asn1.nullValue] : []),
  )
  const body = asn1.sequence(
    ...(draft.version === 3 ? [asn1.tagged(0, asn1.integer(2))] : []),
    asn1.integer(draft.serialNumber),
    identifier,
    encodeName(draft.issuer),
    asn1.sequence(asn1.time(draft.notBefore), asn1.time(draft.notAfter)),
    encodeName(draft.subject),
    draft.publicKey,
    ...(draft.extensions.length === 0 ? [] : [asn1.tagged(3, asn1.sequence(...draft.extensions.map(encodeExtension)))]),
  )
  const signature = sign({ algorithm, privateKey: issuerKey, data: body, random: REPEATABLE })
  return asn1.sequence(body, identifier, asn1.bitString(signature, draft.unusedBits))
}

const REPEATABLE: RandomSource = {
  repeatable: true,
  bytes: () => {
    throw new Error('a deterministic signature draws nothing')
  },
}

// RFC 5280 §4.2.1.2, method 1: SHA-1 over the key's bits.
const keyIdentifier = (key: PrivateKey): Bytes => digest('sha1', publicKeyBits(key))

const KEY_USAGE = {
  digitalSignature: asn1.bitString(Uint8Array.of(0x80), 7),
  certificates: asn1.bitString(Uint8Array.of(0x06), 1),
}

const extension = (oid: string, value: Uint8Array): CertificateExtension => ({ oid, critical: false, value })
const critical = (oid: string, value: Uint8Array): CertificateExtension => ({ oid, critical: true, value })

export const basicConstraints = (authority: boolean, pathLength?: number): CertificateExtension =>
  critical(
    '2.5.29.19',
    asn1.sequence(
      ...(authority ? [asn1.boolean(true)] : []),
      ...(pathLength === undefined ? [] : [asn1.integer(pathLength)]),
    ),
  )

export const keyUsage = (usage: keyof typeof KEY_USAGE): CertificateExtension => critical('2.5.29.15', KEY_USAGE[usage])

export const subjectKeyIdentifier = (key: PrivateKey): CertificateExtension =>
  extension('2.5.29.14', asn1.octetString(keyIdentifier(key)))

export const authorityKeyIdentifier = (issuerKey: PrivateKey): CertificateExtension =>
  extension('2.5.29.35', asn1.sequence(asn1.taggedPrimitive(0, keyIdentifier(issuerKey))))

export const extendedKeyUsage = (...purposes: readonly string[]): CertificateExtension =>
  extension('2.5.29.37', asn1.sequence(...purposes.map(asn1.objectIdentifier)))

const USER_NOTICE = '1.3.6.1.5.5.7.2.2'

/** RFC 5280 §4.2.1.4: one policy, with an optional notice to the user. */
export const certificatePolicies = (policy: string, notice?: string): CertificateExtension => {
  const qualifiers =
    notice === undefined
      ? []
      : [asn1.sequence(asn1.sequence(asn1.objectIdentifier(USER_NOTICE), asn1.sequence(asn1.bmpString(notice))))]
  return extension('2.5.29.32', asn1.sequence(asn1.sequence(asn1.objectIdentifier(policy), ...qualifiers)))
}

/** RFC 5280 §4.2.2.1: the address of the issuer's certificate. */
export const authorityInformation = (address: string): CertificateExtension => {
  const method = asn1.objectIdentifier('1.3.6.1.5.5.7.48.2')
  const access = asn1.sequence(method, asn1.taggedPrimitive(6, utf8(address)))
  return extension('1.3.6.1.5.5.7.1.1', asn1.sequence(access))
}

/** WebAuthn §8.2.1: the AAGUID, an OCTET STRING inside the extension's OCTET STRING. */
export const aaguidExtension = (aaguid: Uint8Array): CertificateExtension =>
  extension('1.3.6.1.4.1.45724.1.1.4', asn1.octetString(aaguid))

/** RFC 5280 §4.1.2.2: a positive serial number, here of 16 octets. */
export const serialNumber = (random: RandomSource): Bytes => {
  const octets = random.bytes(16)
  octets[0] = ((octets[0] ?? 0) & 0x7f) | 0x40
  return octets
}

// Microsoft's extensions in the certificates that issue attestation keys.
const AIK_ISSUER: readonly CertificateExtension[] = [
  extendedKeyUsage('1.3.6.1.4.1.311.21.36', '2.23.133.8.3'),
  certificatePolicies('1.3.6.1.4.1.311.21.31'),
]

/** The certificate of an authority, which is the root without a parent. */
export const draftIssuer = (
  { name, privateKey }: Pick<Issuer, 'name' | 'privateKey'>,
  given: { readonly parent: Issuer | undefined; readonly validity: Validity; readonly serialNumber: Uint8Array },
): CertificateDraft => {
  const { parent, serialNumber } = given
  const { notBefore, notAfter } = given.validity
  return {
    version: 3,
    ...{ serialNumber, notBefore, notAfter },
    publicKey: publicKeyDer(privateKey),
    issuer: parent?.name ?? name,
    subject: name,
    extensions: [
      parent === undefined ? basicConstraints(true) : basicConstraints(true, 0),
      keyUsage('certificates'),
      subjectKeyIdentifier(privateKey),
      ...(parent === undefined ? [] : [authorityKeyIdentifier(parent.privateKey)]),
    ],
  }
}

const makeFormatAuthority = (
  format: CertifiedFormat,
  { validity, random, rootKey }: { validity: Validity; random: RandomSource; rootKey?: IssuerKey },
): FormatAuthority => {
  const makeIssuer = (kind: string, parent?: Issuer, privateKey: IssuerKey = makeEcKey(ES256, random)): Issuer => {
    const name: Name = [
      ['C', 'AA'],
      ['O', 'Handset'],
      ['OU', 'Attestation Authority'],
      ['CN', `Handset ${format} ${kind}`],
    ]
    const draft = draftIssuer({ name, privateKey }, { parent, validity, serialNumber: serialNumber(random) })
    const further = parent !== undefined && format === 'tpm' ? AIK_ISSUER : []
    const extensions = [...draft.extensions, ...further]
    const certificate = issueCertificate({ ...draft, extensions }, parent?.privateKey ?? privateKey)
    return { name, privateKey, certificate: toBase64url(certificate) }
  }
  const root = makeIssuer('Root CA', undefined, rootKey)
  return { root, intermediate: makeIssuer('Intermediate CA', root) }
}

const YEAR = 365.25 * 24 * 3600 * 1000

/** Wide, so that a moved workspace clock stays within it, but limited to the dates of X.509. */
const validityAround = (now: Millis): Validity => {
  const inRange = (time: Millis): Millis => Math.floor(Math.min(Math.max(time, 0), Date.UTC(9999, 0)) / 1000) * 1000
  return { notBefore: inRange(now - 10 * YEAR), notAfter: inRange(now + 40 * YEAR) }
}

type Source = { readonly random: RandomSource; readonly now: Millis }

/** An authority without makers: most phones need none, and making them takes longer than a ceremony. */
export const beginAttestationAuthority = ({ random, now }: Source): AttestationAuthority => ({
  ...validityAround(now),
  secret: toBase64url(random.bytes(32)),
  formats: {},
})

/** Adds the makers of all formats but U2F: a chain that is broken on purpose takes a part from another format. */
export const addMakers = (authority: AttestationAuthority, random: RandomSource): AttestationAuthority => {
  const made = CERTIFIED_FORMATS.filter((format) => format !== 'fido-u2f').map(
    (format) => [format, makeFormatAuthority(format, { validity: authority, random })] as const,
  )
  return { ...authority, formats: { ...authority.formats, ...Object.fromEntries(made) } }
}

/** All makers but U2F's. The same source and time give the same authority. */
export const makeAttestationAuthority = (source: Source): AttestationAuthority =>
  addMakers(beginAttestationAuthority(source), source.random)

/** Adds the makers of U2F tokens. Their root has an RSA key, as Yubico's has; generating it takes 0.1 s. */
export const addU2fMakers = async (
  authority: AttestationAuthority,
  random: RandomSource,
): Promise<AttestationAuthority> => withU2fRoot(authority, random, await makeRsaKey(random))

/** For a repeatable source: U2F's makers are included, with an RSA key from the public pool. */
export const makeRepeatableAuthority = (source: Source): AttestationAuthority =>
  withU2fRoot(makeAttestationAuthority(source), source.random, rsaKeyFromPool(source.random))

/** Makers with the same names, whose roots no service trusts. */
export const makeUntrustedMakers = ({ formats }: AttestationAuthority, source: Source): AttestationAuthority => {
  const strangers = makeAttestationAuthority(source)
  const known = formats['fido-u2f']?.root.privateKey
  if (known === undefined) return strangers
  return withU2fRoot(strangers, source.random, rsaKeyFromPool(source.random, known.kty === 'RSA' ? known : undefined))
}

const withU2fRoot = (
  authority: AttestationAuthority,
  random: RandomSource,
  rootKey: RsaPrivateKey,
): AttestationAuthority => {
  const made = makeFormatAuthority('fido-u2f', { validity: authority, random, rootKey })
  return { ...authority, formats: { ...authority.formats, 'fido-u2f': made } }
}

/** Throws when the makers of the format do not exist: the caller adds them first. */
export const findMakers = ({ formats }: AttestationAuthority, format: CertifiedFormat): FormatAuthority => {
  const makers = formats[format]
  if (makers === undefined) throw new Error(`the makers of ${format} were not made`)
  return makers
}

export const certificateBytes = (issuer: Issuer): Bytes => unwrap(fromBase64url(issuer.certificate), 'certificate')

/** A stream that depends only on a secret and a label, so that a maker repeats the same values. */
export const labelledRandom = (secret: Base64url, label: string): RandomSource => {
  const key = unwrap(fromBase64url(secret), 'secret')
  let counter = 0
  let pool: Bytes = new Uint8Array(0)
  return {
    repeatable: true,
    bytes: (count) => {
      while (pool.length < count) {
        const block = createHmac('sha256', key).update(utf8(`${label}/${counter++}`))
        pool = concat(pool, block.digest())
      }
      const out = pool.slice(0, count)
      pool = pool.slice(count)
      return out
    },
  }
}
