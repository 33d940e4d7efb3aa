import type { CertificatePart, Evidence, ReadingFault } from '../contract/judge/evidence.ts'
import type { RelaxedRules } from '../contract/profile.ts'
import { type Bytes, equalBytes, fromUtf8, toHex } from '../protocol/bytes.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Millis } from '../protocol/time.ts'
import type { PublicKey } from './algorithms.ts'
import * as asn1 from './der.ts'
import { decodeSpki } from './spki.ts'

export type NameAttribute = { readonly type: string; readonly value: string }

export type DistinguishedName = {
  /** The name as encoded; two names are equal if these bytes are. */
  readonly bytes: Bytes
  readonly attributes: readonly NameAttribute[]
}

export type Extension = { readonly critical: boolean; readonly value: Bytes }

/** The parts of an X.509 certificate that attestation needs (RFC 5280 §4.1). */
export type Certificate = {
  readonly bytes: Bytes
  /** The signed part (TBSCertificate). */
  readonly signedBytes: Bytes
  readonly version: number
  readonly serialNumber: string
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
  readonly notBefore: Millis
  readonly notAfter: Millis
  /** SubjectPublicKeyInfo, as encoded. */
  readonly publicKeyInfo: Bytes
  readonly key: PublicKey | undefined
  readonly extensions: ReadonlyMap<string, Extension>
  /** AlgorithmIdentifier of the signature, as encoded. */
  readonly signatureAlgorithm: asn1.DerNode
  readonly signature: Bytes
}

export const NAME_ATTRIBUTE_OID = {
  commonName: '2.5.4.3',
  country: '2.5.4.6',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
} as const

export const EXTENSION = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  authorityKeyIdentifier: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  inhibitAnyPolicy: '2.5.29.54',
  authorityInformation: '1.3.6.1.5.5.7.1.1',
  fidoAaguid: '1.3.6.1.4.1.45724.1.1.4',
  appleNonce: '1.2.840.113635.100.8.2',
  androidKey: '1.3.6.1.4.1.11129.2.1.17',
} as const

/** Longer than any real certificate; more is refused unread. */
const MAX_BYTES = 32 * 1024

export type CertificateFault =
  | { readonly size: number }
  | { readonly fault: ReadingFault; readonly byte: number }
  | { readonly part: CertificatePart }

export const decodeCertificate = (bytes: Bytes, relaxed: RelaxedRules = []): Result<Certificate, CertificateFault> => {
  if (bytes.length > MAX_BYTES) return err({ size: bytes.length })
  const der = asn1.decodeDer(bytes)
  if (!der.ok) return err({ fault: der.error.fault, byte: der.error.offset })
  const [tbs, outerAlgorithm, signatureBits, ...rest] = asn1.sequenceItems(der.value) ?? []
  const signature = asn1.bitStringBytes(signatureBits, relaxed.includes('certificate-unused-bits') ? 7 : 0)
  const fields = [...(asn1.sequenceItems(tbs) ?? [])]
  if (tbs === undefined || outerAlgorithm === undefined || signature === undefined || rest.length > 0) {
    return err({ part: 'signed_sequence' })
  }
  const version = asn1.isContext(fields[0], 0) ? asn1.smallInteger(fields.shift()?.children[0]) : 0
  const [serial, innerAlgorithm, issuerNode, validity, subjectNode, spki, ...optional] = fields
  const serialNumber = asn1.integerBytes(serial)
  const issuer = decodeName(issuerNode)
  const subject = decodeName(subjectNode)
  const [from, to] = (asn1.sequenceItems(validity) ?? []).map(asn1.parseDerTime)
  if (version === undefined || version < 0 || version > 2) return err({ part: 'version' })
  if (serialNumber === undefined) return err({ part: 'serial_number' })
  if (issuer === undefined) return err({ part: 'issuer' })
  if (subject === undefined) return err({ part: 'subject' })
  if (from === undefined || to === undefined) return err({ part: 'validity' })
  if (asn1.sequenceItems(spki) === undefined || spki === undefined) return err({ part: 'public_key' })
  // RFC 5280 §4.1.1.2: the outer algorithm must equal the signed one.
  if (innerAlgorithm === undefined || toHex(innerAlgorithm.bytes) !== toHex(outerAlgorithm.bytes)) {
    return err({ part: 'signature_algorithm' })
  }
  const extensions = decodeExtensions(optional)
  if (extensions === undefined) return err({ part: 'extensions' })
  return ok({
    bytes,
    signedBytes: tbs.bytes,
    version: version + 1,
    serialNumber: toHex(serialNumber),
    issuer,
    subject,
    notBefore: from,
    notAfter: to,
    publicKeyInfo: spki.bytes,
    key: decodeSpki(spki.bytes),
    extensions,
    signatureAlgorithm: outerAlgorithm,
    signature,
  })
}

export const isSelfIssued = ({ issuer, subject }: Certificate): boolean => equalBytes(issuer.bytes, subject.bytes)

export const decodeName = (node: asn1.DerNode | undefined): DistinguishedName | undefined => {
  const sets = asn1.sequenceItems(node)
  if (node === undefined || sets === undefined) return undefined
  const attributes: NameAttribute[] = []
  for (const set of sets) {
    if (!asn1.isUniversal(set, asn1.TAG.set) || set.children.length === 0) return undefined
    for (const pair of set.children) {
      const [type, value, ...rest] = asn1.sequenceItems(pair) ?? []
      const name = asn1.oidText(type)
      if (name === undefined || value === undefined || rest.length > 0) return undefined
      attributes.push({ type: name, value: showAttribute(value) })
    }
  }
  return { bytes: node.bytes, attributes }
}

/** UTF8String, NumericString, PrintableString, TeletexString and IA5String, all decoded as UTF-8. */
const TEXT_TAGS: readonly number[] = [12, 18, 19, 20, 22]

const BMP_STRING = 30

/** RFC 4514 §2.4: a value that is not text becomes a number sign and the hex of its encoding. */
const showAttribute = (value: asn1.DerNode): string => {
  const isPlain = value.tagClass === 'universal' && !value.constructed
  const text = isPlain && TEXT_TAGS.includes(value.tag) ? fromUtf8(value.content) : undefined
  return text ?? (isPlain && value.tag === BMP_STRING ? fromBmp(value.content) : undefined) ?? `#${toHex(value.bytes)}`
}

/** UCS-2, most significant octet first (X.690 §8.23.8). */
const fromBmp = (content: Bytes): string | undefined => {
  if (content.length % 2 === 1) return undefined
  const units = Array.from(
    { length: content.length / 2 },
    (_, i) => (content[2 * i] ?? 0) * 256 + (content[2 * i + 1] ?? 0),
  )
  return units.some((unit) => unit >= 0xd800 && unit < 0xe000) ? undefined : String.fromCharCode(...units)
}

export const attributeValue = (name: DistinguishedName, type: string): string | undefined =>
  name.attributes.find((attribute) => attribute.type === type)?.value

/** Human-readable: `CN=…, O=…`. */
export const formatName = (name: DistinguishedName): string =>
  name.attributes.map(({ type, value }) => `${SHORT_NAMES[type] ?? type}=${value}`).join(', ')

export const nameEvidence = (name: DistinguishedName): Evidence => formatName(name) || { code: 'empty_name' }

const SHORT_NAMES: Readonly<Record<string, string>> = {
  [NAME_ATTRIBUTE_OID.commonName]: 'CN',
  [NAME_ATTRIBUTE_OID.country]: 'C',
  [NAME_ATTRIBUTE_OID.organization]: 'O',
  [NAME_ATTRIBUTE_OID.organizationalUnit]: 'OU',
}

const decodeExtensions = (optional: readonly asn1.DerNode[]): ReadonlyMap<string, Extension> | undefined => {
  const extensions = new Map<string, Extension>()
  for (const field of optional) {
    // RFC 5280 §4.1.2.8: the unique identifiers [1] and [2] are not used.
    const tag = field.tagClass === 'context' ? field.tag : undefined
    if (tag === 1 || tag === 2) continue
    const list = tag === 3 ? asn1.sequenceItems(field.children[0]) : undefined
    if (list === undefined) return undefined
    for (const item of list) {
      const parts = asn1.sequenceItems(item) ?? []
      const id = asn1.oidText(parts[0])
      const critical = parts.length === 3 ? asn1.booleanValue(parts[1]) : false
      const value = asn1.octetStringBytes(parts.at(-1))
      if (id === undefined || critical === undefined || value === undefined || extensions.has(id)) return undefined
      extensions.set(id, { critical, value })
    }
  }
  return extensions
}

export type ExtensionValue<T> = T | 'malformed' | undefined

export const readExtension = <T>(
  certificate: Certificate,
  id: string,
  decode: (root: asn1.DerNode) => T | undefined,
): ExtensionValue<T> => {
  const extension = certificate.extensions.get(id)
  if (extension === undefined) return undefined
  const der = asn1.decodeDer(extension.value)
  return (der.ok ? decode(der.value) : undefined) ?? 'malformed'
}

type BasicConstraints = { readonly ca: boolean; readonly pathLength?: number }

/** RFC 5280 §4.2.1.9. */
export const basicConstraints = (certificate: Certificate): ExtensionValue<BasicConstraints> =>
  readExtension(certificate, EXTENSION.basicConstraints, (root) => {
    const parts = [...(asn1.sequenceItems(root) ?? [])]
    if (asn1.sequenceItems(root) === undefined) return undefined
    const ca = asn1.isUniversal(parts[0], asn1.TAG.boolean) ? asn1.booleanValue(parts.shift()) : false
    const pathLength = parts.length > 0 ? asn1.smallInteger(parts.shift()) : undefined
    if (ca === undefined || parts.length > 0 || (pathLength !== undefined && pathLength < 0)) return undefined
    return { ca, ...(pathLength !== undefined && { pathLength }) }
  })

/** RFC 5280 §4.2.1.3. */
export const canSignCertificates = (certificate: Certificate): ExtensionValue<boolean> =>
  readExtension(certificate, EXTENSION.keyUsage, (root) => {
    const bits = asn1.namedBits(root)
    return bits && ((bits[0] ?? 0) & 0x04) !== 0
  })

/** RFC 5280 §4.2.1.12. */
export const extendedKeyUsage = (certificate: Certificate): ExtensionValue<readonly string[]> =>
  readExtension(certificate, EXTENSION.extendedKeyUsage, (root) => {
    const purposes = asn1.sequenceItems(root)?.map(asn1.oidText)
    return purposes?.every((purpose) => purpose !== undefined) ? purposes : undefined
  })

/** RFC 5280 §4.2.1.2. */
export const subjectKeyIdentifier = (certificate: Certificate): ExtensionValue<Bytes> =>
  readExtension(certificate, EXTENSION.subjectKeyIdentifier, asn1.octetStringBytes)

/** RFC 5280 §4.2.1.1; `none` when the extension does not name a key. */
export const authorityKeyIdentifier = (certificate: Certificate): ExtensionValue<Bytes | 'none'> =>
  readExtension(certificate, EXTENSION.authorityKeyIdentifier, (root) => {
    const parts = asn1.sequenceItems(root)
    return parts && (parts.find((part) => asn1.isContext(part, 0))?.content ?? 'none')
  })

/** WebAuthn §8.2.1: the AAGUID is wrapped in a second OCTET STRING. */
export const fidoAaguid = (certificate: Certificate): ExtensionValue<Bytes> =>
  readExtension(certificate, EXTENSION.fidoAaguid, (root) => {
    const aaguid = asn1.octetStringBytes(root)
    return aaguid?.length === 16 ? aaguid : undefined
  })
