import { createHash } from 'node:crypto'
import { type Bytes, utf8 } from '../../../core/protocol/bytes.ts'
import type { RandomSource } from '../../../core/protocol/random.ts'
import type { Millis } from '../../../core/protocol/time.ts'
import { algorithmNamed } from '../algorithms.ts'
import {
  bitString,
  bmpString,
  boolean,
  integer,
  nullValue,
  objectIdentifier,
  octetString,
  printableString,
  sequence,
  set,
  tagged,
  taggedPrimitive,
  time,
  utf8String,
} from '../der.ts'
import type { EcPrivateKey } from '../private-key.ts'
import type { RsaPrivateKey } from '../rsa-key-pool.ts'
import { sign } from '../sign.ts'

/** Attributes of a distinguished name in their order. */
export type Name = readonly (readonly ['C' | 'O' | 'OU' | 'CN', string])[]

export type CertificateExtension = { readonly oid: string; readonly critical: boolean; readonly value: Uint8Array }

/** Signs certificates. */
export type IssuerKey = Readonly<EcPrivateKey> | Readonly<RsaPrivateKey>

/** A certificate before it is signed (RFC 5280 §4.1). */
export type CertificateDraft = {
  readonly version: 1 | 3
  readonly serialNumber: Uint8Array
  readonly issuer: Name
  readonly subject: Name
  readonly notBefore: Millis
  readonly notAfter: Millis
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Bytes
  readonly extensions: readonly CertificateExtension[]
  /** RFC 4055 §5: an RSA signature is the same with NULL parameters and without; makers do either. */
  readonly withoutNull?: boolean
  /** Unused bits in the last octet of the signature's BIT STRING; zero, except in broken certificates. */
  readonly unusedBits?: number
}

const ATTRIBUTE = { C: '2.5.4.6', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3' } as const

const encodeName = (name: Name): Bytes =>
  sequence(
    ...name.map(([attribute, text]) =>
      set(
        sequence(objectIdentifier(ATTRIBUTE[attribute]), attribute === 'C' ? printableString(text) : utf8String(text)),
      ),
    ),
  )

const encodeExtension = ({ oid, critical, value }: CertificateExtension): Bytes =>
  sequence(objectIdentifier(oid), ...(critical ? [boolean(true)] : []), octetString(value))

const SIGNATURE_ALGORITHM = {
  EC: { algorithm: algorithmNamed('ES256'), oid: objectIdentifier('1.2.840.10045.4.3.2') },
  RSA: { algorithm: algorithmNamed('RS256'), oid: objectIdentifier('1.2.840.113549.1.1.11') },
} as const

/** Signs a certificate. Attestation keys sign deterministically, whatever the phone's own source is. */
export const issueCertificate = (draft: CertificateDraft, issuerKey: IssuerKey): Bytes => {
  const { algorithm, oid } = SIGNATURE_ALGORITHM[issuerKey.kty]
  const identifier = sequence(oid, ...(issuerKey.kty === 'RSA' && draft.withoutNull !== true ? [nullValue] : []))
  const body = sequence(
    ...(draft.version === 3 ? [tagged(0, integer(2))] : []),
    integer(draft.serialNumber),
    identifier,
    encodeName(draft.issuer),
    sequence(time(draft.notBefore), time(draft.notAfter)),
    encodeName(draft.subject),
    draft.publicKey,
    ...(draft.extensions.length === 0 ? [] : [tagged(3, sequence(...draft.extensions.map(encodeExtension)))]),
  )
  const signature = sign({ algorithm, privateKey: issuerKey, data: body, random: REPEATABLE })
  return sequence(body, identifier, bitString(signature, draft.unusedBits))
}

const REPEATABLE: RandomSource = {
  repeatable: true,
  bytes: () => {
    throw new Error('a deterministic signature draws nothing')
  },
}

// The length of a DER element's head; lengths here stay below 64 KiB.
const headLength = (der: Uint8Array): number => ((der[1] ?? 0) < 0x80 ? 2 : 2 + ((der[1] ?? 0) & 0x7f))

const contentOf = (der: Uint8Array): Uint8Array => der.subarray(headLength(der))

const elementLength = (der: Uint8Array): number => {
  const head = headLength(der)
  const first = der[1] ?? 0
  return head + (first < 0x80 ? first : der.subarray(2, head).reduce((sum, octet) => sum * 256 + octet, 0))
}

// RFC 5280 §4.2.1.2, method 1: SHA-1 over the key's bits.
const keyIdentifier = (publicKey: Bytes): Uint8Array => {
  const info = contentOf(publicKey)
  const bits = contentOf(info.subarray(elementLength(info))).subarray(1)
  return new Uint8Array(createHash('sha1').update(bits).digest())
}

const KEY_USAGE = {
  digitalSignature: bitString(Uint8Array.of(0x80), 7),
  certificates: bitString(Uint8Array.of(0x06), 1),
}

export const basicConstraints = (authority: boolean, pathLength?: number): CertificateExtension => ({
  oid: '2.5.29.19',
  critical: true,
  value: sequence(...(authority ? [boolean(true)] : []), ...(pathLength === undefined ? [] : [integer(pathLength)])),
})

export const keyUsage = (usage: keyof typeof KEY_USAGE): CertificateExtension => ({
  oid: '2.5.29.15',
  critical: true,
  value: KEY_USAGE[usage],
})

export const subjectKeyIdentifier = (publicKey: Bytes): CertificateExtension => ({
  oid: '2.5.29.14',
  critical: false,
  value: octetString(keyIdentifier(publicKey)),
})

export const authorityKeyIdentifier = (issuerPublicKey: Bytes): CertificateExtension => ({
  oid: '2.5.29.35',
  critical: false,
  value: sequence(taggedPrimitive(0, keyIdentifier(issuerPublicKey))),
})

export const extendedKeyUsage = (...purposes: readonly string[]): CertificateExtension => ({
  oid: '2.5.29.37',
  critical: false,
  value: sequence(...purposes.map(objectIdentifier)),
})

const USER_NOTICE = '1.3.6.1.5.5.7.2.2'

/** RFC 5280 §4.2.1.4: one policy, with a notice for people when there is one. */
export const certificatePolicies = (
  { policy, notice }: { readonly policy: string; readonly notice?: string },
  { critical }: { readonly critical: boolean },
): CertificateExtension => ({
  oid: '2.5.29.32',
  critical,
  value: sequence(
    sequence(
      objectIdentifier(policy),
      ...(notice === undefined ? [] : [sequence(sequence(objectIdentifier(USER_NOTICE), sequence(bmpString(notice))))]),
    ),
  ),
})

/** RFC 5280 §4.2.2.1: where the issuer's certificate can be had. */
export const authorityInformation = (address: string): CertificateExtension => ({
  oid: '1.3.6.1.5.5.7.1.1',
  critical: false,
  value: sequence(sequence(objectIdentifier('1.3.6.1.5.5.7.48.2'), taggedPrimitive(6, utf8(address)))),
})

/** WebAuthn §8.2.1: the authenticator's model, an OCTET STRING in the extension's own. */
export const aaguidExtension = (aaguid: Uint8Array): CertificateExtension => ({
  oid: '1.3.6.1.4.1.45724.1.1.4',
  critical: false,
  value: octetString(aaguid),
})
