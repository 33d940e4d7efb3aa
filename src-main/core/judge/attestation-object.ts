import type { MemberType } from '../contract/judge/evidence.ts'
import type { RelaxedRules } from '../contract/profile.ts'
import type { Bytes } from '../protocol/bytes.ts'
import { type CborArray, type CborMap, cborFaultFinding, decodeCbor, findEntry, irregularityFindings } from './cbor.ts'
import type { Decoded, Finding } from './check-list.ts'
import { countBytes, member } from './describe.ts'

export type AttestationObject = {
  readonly format?: string
  readonly statement?: CborMap
  /** The statements of a compound attestation. */
  readonly statements?: CborArray
  readonly authenticatorData?: Bytes
}

/** WebAuthn §8.9: several statements in an array. */
export const COMPOUND = 'compound'

const MEMBERS = ['fmt', 'attStmt', 'authData'] as const

/** WebAuthn §6.5: a map of exactly fmt, attStmt and authData. */
export const decodeAttestationObject = (bytes: Bytes, relaxed: RelaxedRules = []): Decoded<AttestationObject> => {
  const part = 'attestationObject'
  const decoded = decodeCbor(bytes)
  if (!decoded.ok)
    return { findings: [cborFaultFinding(decoded.error, { word: 'malformed_attestation_object', part })] }
  const { item, end } = decoded.value
  const findings: Finding[] = []
  if (end < bytes.length) {
    const at = { part, start: end, end: bytes.length } as const
    findings.push({ word: 'trailing_bytes', received: countBytes(bytes.length - end), at })
  }
  findings.push(...irregularityFindings(decoded.value, { part, relaxed }))
  if (item.type !== 'map') {
    const at = { part, start: 0, end } as const
    return { findings: [{ word: 'malformed_attestation_object', expected: { code: 'map' }, received: item.type, at }] }
  }
  const [fmt, attStmt, authData] = MEMBERS.map((name) => findEntry(item, name))
  const malformed = (name: string, type: MemberType) =>
    findings.push({ word: 'malformed_attestation_object', expected: member(name, type), at: { part, start: 0, end } })
  if (fmt?.type !== 'text') malformed('fmt', 'text')
  const isCompound = fmt?.type === 'text' && fmt.value === COMPOUND
  if (isCompound && attStmt?.type !== 'array') malformed('attStmt', 'statements')
  if (!isCompound && attStmt?.type !== 'map') malformed('attStmt', 'map')
  if (authData?.type !== 'bytes') malformed('authData', 'bytes')
  for (const { key } of item.entries) {
    if (key.type === 'text' && MEMBERS.some((name) => name === key.value)) continue
    findings.push({ word: 'attestation_object_extra_member', at: { part, start: key.start, end: key.end } })
  }
  return {
    value: {
      ...(fmt?.type === 'text' && { format: fmt.value }),
      ...(attStmt?.type === 'map' && { statement: attStmt }),
      ...(isCompound && attStmt?.type === 'array' && { statements: attStmt }),
      ...(authData?.type === 'bytes' && { authenticatorData: authData.value }),
    },
    findings,
  }
}
