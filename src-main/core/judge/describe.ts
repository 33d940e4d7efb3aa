import type { Evidence, EvidenceParams } from '../contract/judge/evidence.ts'
import { toHex } from '../protocol/bytes.ts'

const MOST_BYTES = 64
const MOST_CHARACTERS = 200

export const NOTHING = { code: 'nothing' } as const

export const showBytes = (bytes: Uint8Array): Evidence =>
  bytes.length <= MOST_BYTES
    ? toHex(bytes)
    : { code: 'cut_bytes', params: { hex: toHex(bytes.subarray(0, MOST_BYTES)), count: bytes.length } }

export const showValue = (value: unknown): Evidence => {
  if (value === undefined) return NOTHING
  if (Array.isArray(value)) return { code: 'array', params: { count: value.length } }
  if (typeof value === 'object' && value !== null) return { code: 'object' }
  const text = JSON.stringify(value) ?? typeof value
  return text.length <= MOST_CHARACTERS
    ? text
    : { code: 'cut_text', params: { text: text.slice(0, MOST_CHARACTERS), count: text.length } }
}

export const countBytes = (count: number): Evidence => ({ code: 'bytes', params: { count } })

export const anyOf = (values: readonly string[]): Evidence => {
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
