import type { CheckName } from '../../contract/judge/checks.ts'
import type { Evidence, MemberType } from '../../contract/judge/evidence.ts'
import type { FailureWord } from '../../contract/judge/failure-words.ts'
import type { JudgedCheck, Place } from '../../contract/judge/verdict.ts'
import type { RelaxedRules } from '../../contract/profile.ts'
import { type Bytes, concat, equalBytes, latin1, octetString } from '../../protocol/bytes.ts'
import { rememberByText } from '../../protocol/remember.ts'
import type { Millis } from '../../protocol/time.ts'
import { algorithmName, describeKey, findAlgorithm, type PublicKey } from '../algorithms.ts'
import type { AttestedCredential, AuthenticatorData } from '../authenticator-data.ts'
import { type CborItem, type CborMap, findEntry } from '../cbor.ts'
import type { AttestationType } from '../ceremony-case.ts'
import {
  basicConstraints,
  type Certificate,
  type CertificateFault,
  decodeCertificate,
  EXTENSION,
  fidoAaguid,
  nameEvidence,
} from '../certificate.ts'
import { type CheckList, createCheckList, type Finding } from '../check-list.ts'
import type { CoseKey } from '../cose-key.ts'
import type { JudgeCrypto, SignatureCheck } from '../crypto-port.ts'
import { formatUuid, member, showBytes } from '../describe.ts'
import { verifySignature } from '../signature.ts'
import { sameKey } from '../spki.ts'

/** The inputs of a verification procedure (WebAuthn §6.5.2). */
export type AttestationInput = {
  readonly statement: CborMap
  readonly authenticatorData: AuthenticatorData & { readonly attested: AttestedCredential & { readonly key: CoseKey } }
  readonly clientDataHash: Bytes
  readonly now: Millis
  readonly crypto: JudgeCrypto
  readonly relaxed: RelaxedRules
}

/** `type` is valid only if no check failed. */
export type AttestationOutcome = {
  readonly checks: readonly JudgedCheck[]
  readonly type: AttestationType
  readonly trustPath: readonly Certificate[]
  /** The outcomes of the other statements of a compound attestation. */
  readonly others?: readonly AttestationOutcome[]
}

export type VerifyAttestation = (input: AttestationInput) => AttestationOutcome | Promise<AttestationOutcome>

type Certificates = readonly [Certificate, ...Certificate[]]

/** A procedure whose `run` adds its checks to the list, and returns the certificates that could be read. */
export const defineProcedure =
  (
    type: AttestationType,
    run: (list: CheckList, input: AttestationInput) => Promise<Certificates | undefined>,
  ): VerifyAttestation =>
  async (input) => {
    const list = createCheckList()
    const trustPath = (await run(list, input)) ?? []
    return { checks: list.checks(), type, trustPath }
  }

/** Passes if both are the same. */
export const checkSame = <T extends string | Bytes>(
  list: CheckList,
  name: CheckName,
  { word, expected, received }: { readonly word: FailureWord; readonly expected: T; readonly received: T },
): boolean => {
  const shown = (value: T): Evidence => (typeof value === 'string' ? value : showBytes(value))
  const isSame = typeof expected === 'string' ? expected === received : equalBytes(expected, received as Bytes)
  return list.check(name, isSame, { word, expected: shown(expected), received: shown(received) })
}

/** For a statement that names the algorithm of the credential's own key. */
export const checkOwnAlgorithm = (list: CheckList, received: number, { authenticatorData }: AttestationInput) =>
  checkSame(list, 'algorithm_of_credential', {
    word: 'attestation_algorithm_mismatch',
    expected: algorithmName(authenticatorData.attested.key.algorithm),
    received: algorithmName(received),
  })

/** For a certificate of the credential's own key. */
export const checkOwnKey = (
  list: CheckList,
  leaf: Certificate,
  { word, key }: { readonly word: FailureWord; readonly key: PublicKey },
) =>
  list.check('certificate_of_credential_key', leaf.key !== undefined && sameKey(leaf.key, key), {
    word,
    expected: describeKey(key),
    received: leaf.key ? describeKey(leaf.key) : nameEvidence(leaf.subject),
  })

/** The members an attestation statement may have; WebAuthn's CDDL maps are closed. */
type Shape = Readonly<Record<string, 'algorithm' | 'bytes' | 'text' | 'certificates'>>

type MemberValue = { algorithm: number; bytes: Bytes; text: string; certificates: readonly Bytes[] }

type StatementMembers<S extends Shape> = { readonly [Name in keyof S]: MemberValue[S[Name]] }

export const itemPlace = ({ start, end }: CborItem): Place => ({ part: 'attestationObject', start, end })

export const hasMember = (statement: CborMap, name: string): boolean => findEntry(statement, name) !== undefined

/** Checks for missing, mistyped and surplus members; undefined if any cannot be read. */
export const readStatement = <const S extends Shape>(
  list: CheckList,
  statement: CborMap,
  shape: S,
): StatementMembers<S> | undefined => {
  const findings: Finding[] = []
  const members: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(shape)) {
    const item = findEntry(statement, name)
    if (item === undefined) {
      findings.push({ word: 'attestation_statement_member_missing', expected: name, at: itemPlace(statement) })
      continue
    }
    const [memberType, read] = READERS[type]
    const value = read(item)
    if (value === undefined) {
      const expected = member(name, memberType)
      findings.push({ word: 'malformed_attestation_statement', expected, received: item.type, at: itemPlace(item) })
    } else members[name] = value
  }
  for (const { key } of statement.entries) {
    if (key.type === 'text' && Object.hasOwn(shape, key.value)) continue
    const received = key.type === 'text' ? key.value : key.type
    findings.push({ word: 'attestation_statement_extra_member', received, at: itemPlace(key) })
  }
  list.settle('statement_form', findings)
  return Object.keys(shape).every((name) => name in members) ? (members as StatementMembers<S>) : undefined
}

type Reader<Value> = readonly [MemberType, (item: CborItem) => Value | undefined]

const certificatesOf = (item: CborItem): readonly Bytes[] | undefined => {
  if (item.type !== 'array') return undefined
  const certificates = item.items.filter((element) => element.type === 'bytes').map((element) => element.value)
  return certificates.length === item.items.length ? certificates : undefined
}

const READERS: { readonly [Type in Shape[string]]: Reader<MemberValue[Type]> } = {
  algorithm: ['number', (item) => (item.type === 'integer' && typeof item.value === 'number' ? item.value : undefined)],
  bytes: ['bytes', (item) => (item.type === 'bytes' ? item.value : undefined)],
  text: ['text', (item) => (item.type === 'text' ? item.value : undefined)],
  certificates: ['byte_arrays', certificatesOf],
}

const MAX_CERTIFICATES = 16

/** x5c as certificates, leaf first; undefined when one of them cannot be read. */
export const readCertificates = (
  list: CheckList,
  x5c: readonly Bytes[],
  relaxed: RelaxedRules,
): Certificates | undefined => {
  const findings: Finding[] = []
  const certificates: Certificate[] = []
  if (x5c.length === 0) findings.push({ word: 'attestation_chain_empty' })
  if (x5c.length > MAX_CERTIFICATES) findings.push({ word: 'attestation_chain_too_long', received: String(x5c.length) })
  for (const [i, bytes] of x5c.slice(0, MAX_CERTIFICATES).entries()) {
    const certificate = decodeAgain(bytes, relaxed)
    if (certificate.ok) certificates.push(certificate.value)
    else findings.push({ word: 'attestation_certificate_malformed', received: faultOf(i, certificate.error) })
  }
  const [leaf, ...rest] = certificates
  return list.settle('certificates_readable', findings) && leaf ? [leaf, ...rest] : undefined
}

/**
 * All authenticators of a model have the same certificates: remembering the latest saves a packed registration a third
 * of its time, since their keys stay imported, too. Each signature is still verified.
 */
const decodeAgain = (bytes: Bytes, relaxed: RelaxedRules): ReturnType<typeof decodeCertificate> => {
  if (bytes.length > LONG_CERTIFICATE) return decodeCertificate(bytes, relaxed)
  return (relaxed.includes('certificate-unused-bits') ? decodePadded : decodeStrictly)(octetString(bytes))
}

/** Certificates above this size are not remembered: senders choose them. */
const LONG_CERTIFICATE = 4096

const decodeStrictly = rememberByText((octets) => decodeCertificate(latin1(octets)))
const decodePadded = rememberByText((octets) => decodeCertificate(latin1(octets), ['certificate-unused-bits']))

const faultOf = (index: number, why: CertificateFault): Evidence => {
  if ('size' in why) return { code: 'certificate_size', params: { index, count: why.size } }
  if ('part' in why) return { code: 'certificate_part', params: { index, part: why.part } }
  return { code: 'certificate_fault', params: { index, ...why } }
}

/** Checks that the algorithm fits the key, that the form is right, and that the signature is valid. */
export const checkSignature = async (list: CheckList, check: SignatureCheck, crypto: JudgeCrypto): Promise<void> => {
  const algorithm = findAlgorithm(check.algorithm)
  const unsupported = { word: 'attestation_algorithm_unsupported', received: String(check.algorithm) } as const
  if (!list.found('statement_algorithm_known', algorithm, unsupported)) return
  const { key } = check
  const fits =
    algorithm.kty === key.kty &&
    // No curve is compared for EC2: RFC 9053 §2.1 leaves it open, and WebAuthn fixes it for credential keys only.
    (algorithm.kty !== 'OKP' || key.kty !== 'OKP' || algorithm.crv === key.crv) &&
    (algorithm.kty !== 'AKP' || key.kty !== 'AKP' || algorithm.name === key.name)
  const mismatch = { word: 'attestation_algorithm_mismatch', received: algorithmName(check.algorithm) } as const
  if (!list.check('algorithm_fits_key', fits, { ...mismatch, expected: describeKey(key) })) return
  const verdict = await verifySignature(check, crypto)
  if (verdict.outcome === 'malformed') {
    const { expected, received } = verdict
    list.check('signature_form', false, { word: 'attestation_signature_malformed', expected, received })
    return
  }
  list.check('signature_verifies', verdict.outcome === 'valid', {
    word: verdict.outcome === 'unsupported' ? 'algorithm_unavailable' : 'attestation_signature_invalid',
    received: `${algorithmName(check.algorithm)}, ${describeKey(key)}`,
  })
}

export const checkCertificateSignature = async (
  list: CheckList,
  check: Omit<SignatureCheck, 'key'> & { readonly certificate: Certificate },
  crypto: JudgeCrypto,
): Promise<void> => {
  const { certificate, ...rest } = check
  const { key } = certificate
  const unsupported = {
    word: 'attestation_certificate_key_unsupported',
    received: nameEvidence(certificate.subject),
  } as const
  if (list.found('certificate_key_known', key, unsupported)) await checkSignature(list, { ...rest, key }, crypto)
}

/** For a statement signed with the key of its first certificate, which `check` examines. */
export const defineCertified = (
  check: (list: CheckList, leaf: Certificate, input: AttestationInput) => void,
): VerifyAttestation =>
  defineProcedure('basic', async (list, input) => {
    const { authenticatorData, clientDataHash, crypto } = input
    const members = readStatement(list, input.statement, { alg: 'algorithm', sig: 'bytes', x5c: 'certificates' })
    const trustPath = members && readCertificates(list, members.x5c, input.relaxed)
    if (members === undefined || trustPath === undefined) return undefined
    const [certificate] = trustPath
    const data = concat(authenticatorData.bytes, clientDataHash)
    const signed = { certificate, algorithm: members.alg, data, signature: members.sig }
    await checkCertificateSignature(list, signed, crypto)
    check(list, certificate, input)
    return trustPath
  })

/** Rules for the leaf that packed and TPM attestation share (WebAuthn §8.2.1, §8.3.1). */
export const checkLeaf = (list: CheckList, certificate: Certificate, aaguid: Bytes): void => {
  const versions = { expected: '3', received: String(certificate.version) }
  checkSame(list, 'certificate_version_3', { word: 'attestation_certificate_version', ...versions })
  const constraints = basicConstraints(certificate)
  list.check('certificate_constraints', typeof constraints === 'object', {
    word: 'attestation_certificate_constraints_missing',
    expected: { code: 'not_a_ca' },
  })
  if (typeof constraints === 'object') {
    list.check('certificate_not_ca', !constraints.ca, { word: 'attestation_certificate_is_ca' })
  }
  checkAaguid(list, certificate, aaguid)
}

const checkAaguid = (list: CheckList, certificate: Certificate, expected: Bytes): void => {
  const extension = fidoAaguid(certificate)
  if (extension === undefined) return
  const readable = list.check('aaguid_readable', extension !== 'malformed', {
    word: 'attestation_certificate_aaguid_malformed',
    expected: { code: 'aaguid_octets' },
  })
  list.check('aaguid_not_critical', !certificate.extensions.get(EXTENSION.fidoAaguid)?.critical, {
    word: 'attestation_certificate_aaguid_critical',
  })
  if (!readable || extension === 'malformed') return
  checkSame(list, 'certificate_aaguid', {
    word: 'attestation_certificate_aaguid_mismatch',
    expected: formatUuid(expected),
    received: formatUuid(extension),
  })
}
