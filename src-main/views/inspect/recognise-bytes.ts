import { algorithmName, describeKey } from '../../core/judge/algorithms.ts'
import { decodeAndroidKeyDescription } from '../../core/judge/android-key-description.ts'
import { decodeAttestationObject } from '../../core/judge/attestation-object.ts'
import { decodeAuthenticatorData } from '../../core/judge/authenticator-data.ts'
import { type CborItem, decodeCbor, findEntry } from '../../core/judge/cbor.ts'
import { decodeCertificate } from '../../core/judge/certificate.ts'
import { decodeCoseKey } from '../../core/judge/cose-key.ts'
import { type DerNode, decodeDer, isUniversal, sequenceItems, TAG } from '../../core/judge/der.ts'
import { formatUuid } from '../../core/judge/describe.ts'
import { decodeSpki } from '../../core/judge/spki.ts'
import { decodeTpmCertifyInfo, decodeTpmPublicArea } from '../../core/judge/tpm.ts'
import { type Bytes, toBase64url, toHex } from '../../core/protocol/bytes.ts'
import { inspectCertificates } from './certificates.ts'
import { derParts } from './der-part.ts'
import { type Check, type Fact, factsIn, type InspectContext, type Recognised } from './inspection.ts'
import { attestationPart, authenticatorDataPart, cborPart, decodedPart, keyNodes, plainPart } from './parts.ts'
import { authenticatorDataFacts, recogniseCtap, recogniseSignedData, recogniseU2f } from './recognise-authenticator.ts'
import { findHashedRpId } from './whose-hash.ts'

/** Longest input that is recognised as bytes; only files are longer. */
const LONGEST = 128 * 1024

/** Undefined if not recognised. */
export const inspectBytes = async (bytes: Bytes, bench: InspectContext): Promise<Recognised | undefined> => {
  if (bytes.length === 0) return undefined
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { kind: 'trace', facts: [['packed', 'gzip']] }
  if (bytes.length > LONGEST) return undefined
  return (
    (await derFound(bytes, bench)) ??
    (await cborFound(bytes, bench)) ??
    (await authenticatorDataFound(bytes, bench)) ??
    recogniseCtap(bytes) ??
    recogniseU2f(bytes) ??
    (await recogniseSignedData(bytes, bench)) ??
    tpmFound(bytes) ??
    ofKnownLength(bytes, bench)
  )
}

const refusedFor = (findings: readonly { readonly word: string }[]): Pick<Recognised, 'checks' | 'verdict'> => ({
  checks: findings.map((finding): Check => ({ name: finding.word, outcome: 'failed', ...finding })),
  ...(findings.length > 0 ? { verdict: 'refused' } : {}),
})

const derFound = async (bytes: Bytes, bench: InspectContext): Promise<Recognised | undefined> => {
  if (bytes[0] !== 0x30) return undefined
  const der = decodeDer(bytes)
  if (!der.ok) return undefined
  const certificate = decodeCertificate(bytes)
  if (certificate.ok) return inspectCertificates([certificate.value], bench)
  const parts = derParts(bytes)
  const key = decodeSpki(bytes)
  if (key !== undefined) return { kind: 'public-key', facts: [['key', describeKey(key)]], parts }
  const children = sequenceItems(der.value) ?? []
  if (children.length === 2 && children.every((child) => isUniversal(child, TAG.integer)))
    return { kind: 'ecdsa-signature', facts: rAndS(children), parts }
  const [version, algorithm, secret] = children
  if (
    isUniversal(version, TAG.integer) &&
    sequenceItems(algorithm) !== undefined &&
    isUniversal(secret, TAG.octetString)
  )
    return { kind: 'private-key' }
  return { kind: decodeAndroidKeyDescription(bytes) === undefined ? 'der' : 'android-key-description', parts }
}

const rAndS = (children: readonly DerNode[]): readonly Fact[] =>
  children.map((child, i) => [i === 0 ? 'r' : 's', toHex(child.content)])

const cborFound = async (bytes: Bytes, bench: InspectContext): Promise<Recognised | undefined> => {
  const decoded = decodeCbor(bytes)
  if (!decoded.ok || decoded.value.end !== bytes.length) return undefined
  const { item } = decoded.value
  if (item.type === 'map' && ['fmt', 'attStmt', 'authData'].every((key) => findEntry(item, key) !== undefined))
    return attestationFound(bytes, bench)
  if (item.type === 'map' && findEntry(item, 1)?.type === 'integer' && findEntry(item, 3)?.type === 'integer')
    return coseFound(bytes, item)
  // Nearly every single byte is valid CBOR, so other types prove nothing.
  if (item.type !== 'map' && item.type !== 'array') return undefined
  const isStatement = item.type === 'map' && ['sig', 'alg'].every((key) => findEntry(item, key) !== undefined)
  return { kind: isStatement ? 'attestation-statement' : 'cbor', parts: [cborPart('CBOR', bytes, item)] }
}

const attestationFound = async (bytes: Bytes, bench: InspectContext): Promise<Recognised> => {
  const { value, findings } = decodeAttestationObject(bytes)
  const data = value?.authenticatorData
  const inner = data === undefined ? [] : await authenticatorDataFacts(data, bench)
  return {
    kind: 'attestation-object',
    facts: [['format', value?.format ?? { code: 'unreadable' }], ...inner],
    parts: [attestationPart(bytes, value?.format), ...(data === undefined ? [] : [authenticatorDataPart(data)])],
    ...refusedFor(findings),
  }
}

const coseFound = (bytes: Bytes, item: CborItem): Recognised => {
  const { value, findings } = decodeCoseKey(item)
  const range = { start: 0, end: bytes.length }
  return {
    kind: 'cose-key',
    facts: factsIn({ algorithm: value && algorithmName(value.algorithm), key: value && describeKey(value.key) }),
    parts: [
      value === undefined
        ? cborPart('CBOR', bytes, item)
        : decodedPart('COSE key', bytes, keyNodes(bytes, { publicKeyRange: range, key: value })),
    ],
    ...refusedFor(findings),
  }
}

/** Requires that authenticator data end exactly with the input, because any 37 bytes are a valid beginning. */
const authenticatorDataFound = async (bytes: Bytes, bench: InspectContext): Promise<Recognised | undefined> => {
  const { value, findings } = decodeAuthenticatorData(bytes)
  if (value === undefined || findings.length > 0) return undefined
  return {
    kind: 'authenticator-data',
    facts: await authenticatorDataFacts(bytes, bench),
    parts: [authenticatorDataPart(bytes)],
  }
}

/** TPM 2.0 Part 2 section 6.2: structures made by a TPM begin with its magic. */
const TPM_GENERATED = 'ff544347'

const tpmFound = (bytes: Bytes): Recognised | undefined => {
  const info = toHex(bytes.subarray(0, 4)) === TPM_GENERATED ? decodeTpmCertifyInfo(bytes) : undefined
  if (info?.ok === true) return { kind: 'tpm-certify-info', parts: [plainPart('certInfo', bytes)] }
  const area = decodeTpmPublicArea(bytes)
  return area.ok
    ? { kind: 'tpm-public-area', facts: [['key', describeKey(area.value.key)]], parts: [plainPart('pubArea', bytes)] }
    : undefined
}

const ofKnownLength = async (bytes: Bytes, bench: InspectContext): Promise<Recognised | undefined> => {
  if (bytes.length > 65) return undefined
  const facts = { hex: toHex(bytes), base64url: toBase64url(bytes) }
  if (bytes.length === 16) return { kind: 'aaguid', facts: factsIn({ uuid: formatUuid(bytes), ...facts }) }
  if (bytes.length === 65 && bytes[0] === 4)
    return { kind: 'ec-point', facts: factsIn({ x: toHex(bytes.subarray(1, 33)), y: toHex(bytes.subarray(33)) }) }
  // Printable ASCII is more likely text of the same length.
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) return undefined
  if (bytes.length === 64) return { kind: 'raw-signature', facts: factsIn(facts) }
  if (bytes.length !== 32) return undefined
  return { kind: 'digest', facts: factsIn({ 'hash of': await findHashedRpId(bytes, bench), ...facts }) }
}
