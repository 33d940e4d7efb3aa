import type { Evidence, EvidenceParams, MemberType } from '../contract/judge/evidence.ts'
import { toHex } from '../protocol/bytes.ts'

const MAX_BYTES = 64
const MAX_CHARACTERS = 200

export const NO_EVIDENCE = { code: 'nothing' } as const

export const showBytes = (bytes: Uint8Array): Evidence =>
  bytes.length <= MAX_BYTES
    ? toHex(bytes)
    : { code: 'cut_bytes', params: { hex: toHex(bytes.subarray(0, MAX_BYTES)), count: bytes.length } }

export const showValue = (value: unknown): Evidence => {
  if (value === undefined) return NO_EVIDENCE
  if (Array.isArray(value)) return { code: 'array', params: { count: value.length } }
  if (typeof value === 'object' && value !== null) return { code: 'object' }
  const text = JSON.stringify(value) ?? typeof value
  return text.length <= MAX_CHARACTERS
    ? text
    : { code: 'cut_text', params: { text: text.slice(0, MAX_CHARACTERS), count: text.length } }
}

/** The member that was expected. */
export const member = (name: string, type: MemberType): Evidence => ({ code: 'member', params: { name, type } })

export const countBytes = (count: number): Evidence => ({ code: 'bytes', params: { count } })

export const describeChoice = (values: readonly string[]): Evidence => {
  const quoted = values.map((value) => JSON.stringify(value))
  const [only, ...others] = quoted
  return only !== undefined && others.length === 0 ? only : { code: 'any_of', params: { values: quoted } }
}

export type FlagName = EvidenceParams['flag_set']['flag']

export const showFlag = (flag: FlagName, set: boolean): Evidence => ({
  code: set ? 'flag_set' : 'flag_not_set',
  params: { flag },
})

/** RFC 9562's text form. */
export const formatUuid = (bytes: Uint8Array): string =>
  toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
