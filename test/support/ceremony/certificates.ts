import type { Bytes } from '../../../src-main/core/protocol/bytes.ts'
import { bits, bool, context, generalizedTime, integer, nothing, octets, oid, sequence, set, text, tlv } from './der.ts'
import { type TestKey, testKey } from './keys.ts'

export type NamePair = readonly [type: string, value: string]

export const CN = '2.5.4.3'
export const C = '2.5.4.6'
export const O = '2.5.4.10'
export const OU = '2.5.4.11'

export const name = (...pairs: readonly NamePair[]): Bytes =>
  sequence(...pairs.map(([type, value]) => set(sequence(oid(type), type === C ? printable(value) : text(value)))))

const printable = (value: string): Bytes => tlv(0x13, new TextEncoder().encode(value))

export type TestExtension = { readonly id: string; readonly critical?: boolean; readonly value: Uint8Array }

export const extension = {
  constraints: (ca: boolean, pathLength?: number): TestExtension => ({
    id: '2.5.29.19',
    critical: true,
    value: sequence(...(ca ? [bool(true)] : []), ...(pathLength === undefined ? [] : [integer(pathLength)])),
  }),
  /** Bit 0 is digitalSignature, bit 5 keyCertSign. */
  keyUsage: (octet: number): TestExtension => ({
    id: '2.5.29.15',
    critical: true,
    value: tlv(0x03, Uint8Array.of(octet === 0x80 ? 7 : 2, octet)),
  }),
  aaguid: (value: Uint8Array, critical = false): TestExtension => ({
    id: '1.3.6.1.4.1.45724.1.1.4',
    critical,
    value: octets(value),
  }),
  subjectKeyIdentifier: (id: Uint8Array): TestExtension => ({ id: '2.5.29.14', value: octets(id) }),
  policies: (...policies: readonly string[]): TestExtension => ({
    id: '2.5.29.32',
    critical: true,
    value: sequence(...policies.map((policy) => sequence(oid(policy)))),
  }),
  /** After how many further certificates a policy is demanded. */
  requireExplicitPolicy: (skipped: number): TestExtension => ({
    id: '2.5.29.36',
    critical: true,
    value: sequence(tlv(0x80, Uint8Array.of(skipped))),
  }),
  inhibitAnyPolicy: (skipped: number): TestExtension => ({ id: '2.5.29.54', critical: true, value: integer(skipped) }),
  authorityKeyIdentifier: (id: Uint8Array): TestExtension => ({ id: '2.5.29.35', value: sequence(tlv(0x80, id)) }),
} as const

export type CertificateParts = {
  readonly version: number
  readonly serial: number
  readonly subject: Uint8Array
  readonly issuer: Uint8Array
  readonly key: TestKey
  readonly signer: TestKey
  readonly notBefore: number
  readonly notAfter: number
  readonly extensions: readonly TestExtension[]
  readonly spki?: Uint8Array
  readonly signature?: (good: Uint8Array) => Uint8Array
  /** What the BIT STRING of the signature says of its last octet. */
  readonly unusedBits?: number
  /** Instead of the usual AlgorithmIdentifier of the signer's algorithm. */
  readonly signatureAlgorithm?: Uint8Array
}

const SIGNATURE_ALGORITHMS: Readonly<Record<number, Uint8Array>> = {
  '-7': sequence(oid('1.2.840.10045.4.3.2')),
  '-35': sequence(oid('1.2.840.10045.4.3.3')),
  '-36': sequence(oid('1.2.840.10045.4.3.4')),
  '-257': sequence(oid('1.2.840.113549.1.1.11'), nothing),
  '-258': sequence(oid('1.2.840.113549.1.1.12'), nothing),
  '-65535': sequence(oid('1.2.840.113549.1.1.5'), nothing),
  '-8': sequence(oid('1.3.101.112')),
  '-37': sequence(
    oid('1.2.840.113549.1.1.10'),
    sequence(
      context(0, sequence(oid('2.16.840.1.101.3.4.2.1'), nothing)),
      context(1, sequence(oid('1.2.840.113549.1.1.8'), sequence(oid('2.16.840.1.101.3.4.2.1'), nothing))),
      context(2, integer(32)),
    ),
  ),
}

export const VALID_FROM = Date.UTC(2020, 0, 1)
export const VALID_TO = Date.UTC(2120, 0, 1)

export const rootKey = (): TestKey => testKey(-7, 'attestation root')
export const intermediateKey = (): TestKey => testKey(-7, 'attestation intermediate')
export const attestationKey = (algorithm = -7): TestKey => testKey(algorithm, 'attestation')

export const ROOT_NAME = name([CN, 'Test root'], [O, 'Handset'], [C, 'NL'])
export const INTERMEDIATE_NAME = name([CN, 'Test intermediate'], [O, 'Handset'], [C, 'NL'])
export const ATTESTATION_NAME = name([C, 'NL'], [O, 'Handset'], [OU, 'Authenticator Attestation'], [CN, 'Model 1'])

export const certificate = (changes: Partial<CertificateParts> = {}): Bytes => {
  const parts: CertificateParts = {
    version: 3,
    serial: 4711,
    subject: ATTESTATION_NAME,
    issuer: ROOT_NAME,
    key: attestationKey(),
    signer: rootKey(),
    notBefore: VALID_FROM,
    notAfter: VALID_TO,
    extensions: [extension.constraints(false)],
    ...changes,
  }
  const algorithm = parts.signatureAlgorithm ?? SIGNATURE_ALGORITHMS[parts.signer.algorithm] ?? sequence(oid('1.2.3.4'))
  const extensions = parts.extensions.map(({ id, critical, value }) =>
    sequence(oid(id), ...(critical ? [bool(true)] : []), octets(value)),
  )
  const signed = sequence(
    ...(parts.version === 1 ? [] : [context(0, integer(parts.version - 1))]),
    integer(parts.serial),
    algorithm,
    parts.issuer,
    sequence(generalizedTime(parts.notBefore), generalizedTime(parts.notAfter)),
    parts.subject,
    parts.spki ?? parts.key.spki,
    ...(extensions.length > 0 ? [context(3, sequence(...extensions))] : []),
  )
  const signature = parts.signer.sign(signed)
  return sequence(signed, algorithm, bits(parts.signature ? parts.signature(signature) : signature, parts.unusedBits))
}

export const rootCertificate = (changes: Partial<CertificateParts> = {}): Bytes =>
  certificate({
    subject: ROOT_NAME,
    issuer: ROOT_NAME,
    key: rootKey(),
    extensions: [extension.constraints(true), extension.keyUsage(0x04)],
    ...changes,
  })

export const intermediateCertificate = (changes: Partial<CertificateParts> = {}): Bytes =>
  certificate({
    serial: 12,
    subject: INTERMEDIATE_NAME,
    key: intermediateKey(),
    extensions: [extension.constraints(true, 0), extension.keyUsage(0x04)],
    ...changes,
  })
