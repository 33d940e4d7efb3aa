import { algorithmName, describeKey } from '../../core/judge/algorithms.ts'
import { decodeAuthenticatorData } from '../../core/judge/authenticator-data.ts'
import { type CborItem, decodeCbor } from '../../core/judge/cbor.ts'
import { decodeCertificate } from '../../core/judge/certificate.ts'
import { formatUuid } from '../../core/judge/describe.ts'
import { type Bytes, toBase64url, toHex } from '../../core/protocol/bytes.ts'
import { type Fact, factsIn, type InspectContext, type Recognised } from './inspection.ts'
import { authenticatorDataPart, cborPart, type DecodedPart, plainPart } from './parts.ts'
import { findHashedRpId } from './whose-hash.ts'

/** CTAP 2.2 section 6: the commands with a map as parameter. */
const COMMANDS: ReadonlyMap<number, string> = new Map([
  [0x01, 'authenticatorMakeCredential'],
  [0x02, 'authenticatorGetAssertion'],
  [0x06, 'authenticatorClientPIN'],
  [0x09, 'authenticatorBioEnrollment'],
  [0x0a, 'authenticatorCredentialManagement'],
  [0x0c, 'authenticatorLargeBlobs'],
  [0x0d, 'authenticatorConfig'],
])

const SUCCESS = 0x00

/** One byte with the command or status, and a map with small numbers as keys. */
export const recogniseCtap = (bytes: Bytes): Recognised | undefined => {
  const [head = 0] = bytes
  const command = COMMANDS.get(head)
  if (command === undefined && head !== SUCCESS) return undefined
  const decoded = decodeCbor(bytes, 1)
  if (!decoded.ok || decoded.value.end !== bytes.length) return undefined
  const { item } = decoded.value
  const isCtap = item.type === 'map' && item.entries.length > 0 && item.entries.every(({ key }) => isSmall(key))
  if (!isCtap) return undefined
  const parts = [cborPart('CTAP2', bytes, item)]
  return command === undefined
    ? { kind: 'ctap-response', parts }
    : { kind: 'ctap-request', facts: [['command', command]], parts }
}

const isSmall = (key: CborItem): boolean => key.type === 'integer' && Number(key.value) > 0 && Number(key.value) < 64

const SHA256_BYTES = 32

/** The signed bytes of an assertion (WebAuthn §6.3.3), as servers log them. */
export const recogniseSignedData = async (bytes: Bytes, bench: InspectContext): Promise<Recognised | undefined> => {
  const data = bytes.slice(0, -SHA256_BYTES)
  const { value, findings } = decodeAuthenticatorData(data)
  if (value === undefined || findings.length > 0) return undefined
  const hash = bytes.slice(-SHA256_BYTES)
  return {
    kind: 'signed-data',
    facts: [...(await authenticatorDataFacts(data, bench)), ['clientDataHash', toHex(hash)]],
    parts: [authenticatorDataPart(data), plainPart('clientDataHash', hash)],
  }
}

const U2F = 0x05
const POINT_BYTES = 65

/** U2F Raw Message Formats section 4.3: a point, a key handle, a certificate and a signature. */
export const recogniseU2f = (bytes: Bytes): Recognised | undefined => {
  if (bytes[0] !== U2F || bytes[1] !== 0x04) return undefined
  const start = 1 + POINT_BYTES + 1
  const end = start + (bytes[start - 1] ?? 0)
  const certificate = decodeCertificate(certificateAt(bytes, end))
  if (!certificate.ok) return undefined
  const handle = bytes.slice(start, end)
  const signature = bytes.slice(end + certificate.value.bytes.length)
  const fields: readonly DecodedPart<string>[] = [
    ...[plainPart('public key', bytes.slice(1, 1 + POINT_BYTES)), plainPart('key handle', handle)],
    ...[plainPart('certificate', certificate.value.bytes), plainPart('signature', signature)],
  ]
  const { key } = certificate.value
  return {
    kind: 'u2f-registration',
    facts: factsIn({ id: toBase64url(handle), key: key === undefined ? { code: 'unknown_kind' } : describeKey(key) }),
    parts: fields,
  }
}

/** The length of the sequence is in two bytes, as in every certificate. */
const certificateAt = (bytes: Bytes, at: number): Bytes =>
  bytes[at] === 0x30 && bytes[at + 1] === 0x82
    ? bytes.slice(at, at + 4 + ((bytes[at + 2] ?? 0) << 8) + (bytes[at + 3] ?? 0))
    : bytes.slice(0, 0)

export const authenticatorDataFacts = async (bytes: Bytes, bench: InspectContext): Promise<readonly Fact[]> => {
  const { value } = decodeAuthenticatorData(bytes)
  if (value === undefined) return []
  const { flags, attested } = value
  const set = [
    ...(flags.userPresent ? (['user_present'] as const) : []),
    ...(flags.userVerified ? (['user_verified'] as const) : []),
    ...(flags.backupEligible ? ([flags.backupState ? 'backed_up' : 'may_be_backed_up'] as const) : []),
  ]
  return factsIn({
    rpIdHash: (await findHashedRpId(value.rpIdHash, bench)) ?? toHex(value.rpIdHash),
    flags: { code: 'flags', params: { set } },
    signCount: String(value.signCount),
    aaguid: attested && formatUuid(attested.aaguid),
    algorithm: attested?.key && algorithmName(attested.key.algorithm),
  })
}
