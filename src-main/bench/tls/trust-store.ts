import { createHash, createHmac, X509Certificate } from 'node:crypto'
import { type Bytes, concat } from '../../core/protocol/bytes.ts'
import * as asn1 from '../../phones/authenticator/der.ts'

/** The default password of Java trust stores. It protects nothing: certificates are public. */
export const TRUST_STORE_PASSWORD = 'changeit'

const OID = {
  data: '1.2.840.113549.1.7.1',
  certificateBag: '1.2.840.113549.1.12.10.1.3',
  x509: '1.2.840.113549.1.9.22.1',
  friendlyName: '1.2.840.113549.1.9.20',
  /** Without it, Java takes the certificate for part of a client's chain and does not trust it. */
  trustedKeyUsage: '2.16.840.1.113894.746875.1.1',
  anyPurpose: '2.5.29.37.0',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const

const ITERATIONS = 10_000

/** PKCS12 (RFC 7292), for Java's trust stores. */
export const createTrustStore = (pem: string): Bytes => {
  const certificate = new X509Certificate(pem).raw
  const bag = asn1.sequence(
    asn1.objectIdentifier(OID.certificateBag),
    asn1.tagged(0, asn1.sequence(asn1.objectIdentifier(OID.x509), asn1.tagged(0, asn1.octetString(certificate)))),
    asn1.set(
      asn1.sequence(asn1.objectIdentifier(OID.friendlyName), asn1.set(asn1.bmpString('handset'))),
      asn1.sequence(asn1.objectIdentifier(OID.trustedKeyUsage), asn1.set(asn1.objectIdentifier(OID.anyPurpose))),
    ),
  )
  const contents = asn1.sequence(dataOf(asn1.sequence(bag)))
  // The password is public, so a salt protects nothing. This salt gives the same file for the same certificate.
  const salt = createHash('sha256').update(certificate).digest().subarray(0, 16)
  const mac = createHmac('sha256', macKey(TRUST_STORE_PASSWORD, salt)).update(contents).digest()
  return asn1.sequence(
    asn1.integer(3),
    dataOf(contents),
    asn1.sequence(
      asn1.sequence(asn1.sequence(asn1.objectIdentifier(OID.sha256), asn1.nullValue), asn1.octetString(mac)),
      asn1.octetString(salt),
      asn1.integer(ITERATIONS),
    ),
  )
}

const dataOf = (content: Uint8Array): Bytes =>
  asn1.sequence(asn1.objectIdentifier(OID.data), asn1.tagged(0, asn1.octetString(content)))

/** The block size of SHA-256, in octets. */
const BLOCK = 64
const MAC_KEY_ID = 3

/** RFC 7292 appendix B.2: a key as long as the hash needs only the first round. */
const macKey = (password: string, salt: Uint8Array): Buffer => {
  const text = Buffer.from(`${password}\0`, 'utf16le').swap16()
  let key = createHash('sha256')
    .update(concat(new Uint8Array(BLOCK).fill(MAC_KEY_ID), repeated(salt), repeated(text)))
    .digest()
  for (let round = 1; round < ITERATIONS; round++) key = createHash('sha256').update(key).digest()
  return key
}

/** The bytes repeated up to a whole number of blocks. */
const repeated = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from({ length: Math.ceil(bytes.length / BLOCK) * BLOCK }, (_, i) => bytes[i % bytes.length] ?? 0)
