import type { FailureWord } from '../contract/judge/failure-words.ts'
import type { RelaxedRules } from '../contract/profile.ts'
import type { Bytes } from '../protocol/bytes.ts'
import { type CborMap, cborFaultFinding, decodeCbor, irregularityFindings, type Range } from './cbor.ts'
import type { Decoded, Finding } from './check-list.ts'
import { type CoseKey, decodeCoseKey } from './cose-key.ts'
import { countBytes } from './describe.ts'

export type Flags = Readonly<ReturnType<typeof readFlags>>

export type AttestedCredential = Range & {
  readonly aaguid: Bytes
  readonly credentialId: Bytes
  readonly credentialIdRange: Range
  readonly publicKey?: Bytes
  readonly publicKeyRange?: Range
  readonly key?: CoseKey
}

export type AuthenticatorData = {
  readonly bytes: Bytes
  readonly rpIdHash: Bytes
  readonly flags: Flags
  readonly signCount: number
  readonly attested?: AttestedCredential
  readonly extensions?: CborMap
}

/** Offsets of the fixed fields (WebAuthn §6.1). */
export const fixedFields = {
  rpIdHash: { start: 0, end: 32 },
  flags: { start: 32, end: 33 },
  signCount: { start: 33, end: 37 },
} as const satisfies Record<string, Range>

const RESERVED_BITS = 0b0010_0010
const AAGUID_END = 53
const ID_START = 55

export const readFlags = (byte: number) => ({
  byte,
  userPresent: (byte & 0x01) !== 0,
  userVerified: (byte & 0x04) !== 0,
  backupEligible: (byte & 0x08) !== 0,
  backupState: (byte & 0x10) !== 0,
  attestedCredentialData: (byte & 0x40) !== 0,
  extensionData: (byte & 0x80) !== 0,
})

export const decodeAuthenticatorData = (bytes: Bytes, relaxed: RelaxedRules = []): Decoded<AuthenticatorData> => {
  if (bytes.length < 37) {
    const at = { part: 'authenticatorData', start: 0, end: bytes.length } as const
    return { findings: [{ word: 'authenticator_data_too_short', received: countBytes(bytes.length), at }] }
  }
  const findings: Finding[] = []
  const find = (word: FailureWord, range: Range, detail: Partial<Finding> = {}) =>
    findings.push({ word, ...detail, at: { part: 'authenticatorData', start: range.start, end: range.end } })

  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const flags = readFlags(view.getUint8(32))
  const head = { bytes, rpIdHash: bytes.subarray(0, 32), flags, signCount: view.getUint32(33) }
  if ((flags.byte & RESERVED_BITS) !== 0 && !relaxed.includes('reserved-flags')) {
    find('flags_reserved_set', fixedFields.flags, { received: flags.byte.toString(2).padStart(8, '0') })
  }

  /** Decodes one CBOR item at `start` and adds its irregularities to the findings. */
  const cbor = (start: number, word: FailureWord) => {
    const decoded = decodeCbor(bytes, start)
    if (!decoded.ok) {
      findings.push(cborFaultFinding(decoded.error, { word, part: 'authenticatorData' }))
      return undefined
    }
    findings.push(...irregularityFindings(decoded.value, { part: 'authenticatorData', relaxed }))
    return decoded.value.item
  }

  let end = 37
  let attested: AttestedCredential | undefined
  if (flags.attestedCredentialData) {
    const idLength = bytes.length < ID_START ? 0 : view.getUint16(AAGUID_END)
    const idEnd = ID_START + idLength
    if (bytes.length < idEnd) {
      find(
        'attested_credential_data_truncated',
        { start: 37, end: bytes.length },
        { expected: { code: 'bytes_at_least', params: { count: idEnd } } },
      )
      return { value: head, findings }
    }
    const item = cbor(idEnd, 'malformed_public_key')
    attested = {
      aaguid: bytes.subarray(37, AAGUID_END),
      credentialId: bytes.subarray(ID_START, idEnd),
      credentialIdRange: { start: ID_START, end: idEnd },
      start: 37,
      end: item?.end ?? bytes.length,
    }
    if (item === undefined) return { value: { ...head, attested }, findings }
    const key = decodeCoseKey(item)
    findings.push(...key.findings)
    attested = {
      ...attested,
      publicKey: bytes.subarray(idEnd, item.end),
      publicKeyRange: { start: idEnd, end: item.end },
      ...(key.value && { key: key.value }),
    }
    end = item.end
  }

  let extensions: CborMap | undefined
  if (flags.extensionData) {
    if (end === bytes.length) find('extensions_missing', fixedFields.flags)
    else {
      const item = cbor(end, 'extensions_malformed')
      if (item === undefined) return { value: { ...head, ...(attested && { attested }) }, findings }
      end = item.end
      if (item.type === 'map') extensions = item
      if (item.type !== 'map' || item.entries.some(({ key }) => key.type !== 'text')) find('extensions_malformed', item)
    }
  }
  if (end < bytes.length) {
    find('trailing_bytes', { start: end, end: bytes.length }, { received: countBytes(bytes.length - end) })
  }
  return { value: { ...head, ...(attested && { attested }), ...(extensions && { extensions }) }, findings }
}
