import type { MemberType } from '../../contract/judge/evidence.ts'
import type { Place } from '../../contract/judge/verdict.ts'
import type { Bytes } from '../../protocol/bytes.ts'
import { type CborItem, type CborMap, entryOf } from '../cbor.ts'
import type { Finding } from '../check-list.ts'

/** The members an attestation statement may have; WebAuthn's CDDL maps are closed. */
type Shape = Readonly<Record<string, 'algorithm' | 'bytes' | 'text' | 'certificates'>>

type MemberValue = { algorithm: number; bytes: Bytes; text: string; certificates: readonly Bytes[] }

export type StatementMembers<S extends Shape> = { readonly [Name in keyof S]: MemberValue[S[Name]] }

export const placeOf = ({ start, end }: CborItem): Place => ({ part: 'attestationObject', start, end })

export const hasMember = (statement: CborMap, name: string): boolean => entryOf(statement, name) !== undefined

/** Reads a statement of exactly these members; the findings say what is missing, of another type, or too much. */
export const readStatement = <const S extends Shape>(
  statement: CborMap,
  shape: S,
): { readonly members?: StatementMembers<S>; readonly findings: readonly Finding[] } => {
  const findings: Finding[] = []
  const members: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(shape)) {
    const item = entryOf(statement, name)
    if (item === undefined) {
      findings.push({ word: 'attestation_statement_member_missing', expected: name, at: placeOf(statement) })
      continue
    }
    const value = READERS[type](item)
    if (value === undefined) {
      const expected = { code: 'member', params: { name, type: TYPE_NAMES[type] } } as const
      findings.push({ word: 'malformed_attestation_statement', expected, received: item.type, at: placeOf(item) })
    } else members[name] = value
  }
  for (const { key } of statement.entries) {
    if (key.type === 'text' && Object.hasOwn(shape, key.value)) continue
    const received = key.type === 'text' ? key.value : key.type
    findings.push({ word: 'attestation_statement_extra_member', received, at: placeOf(key) })
  }
  const complete = Object.keys(shape).every((name) => name in members)
  return { ...(complete && { members: members as StatementMembers<S> }), findings }
}

const TYPE_NAMES = {
  algorithm: 'number',
  bytes: 'bytes',
  text: 'text',
  certificates: 'byte_arrays',
} as const satisfies Record<Shape[string], MemberType>

const READERS: { readonly [Type in Shape[string]]: (item: CborItem) => MemberValue[Type] | undefined } = {
  algorithm: (item) => (item.type === 'integer' && typeof item.value === 'number' ? item.value : undefined),
  bytes: (item) => (item.type === 'bytes' ? item.value : undefined),
  text: (item) => (item.type === 'text' ? item.value : undefined),
  certificates: (item) => {
    if (item.type !== 'array') return undefined
    const certificates = item.items.filter((element) => element.type === 'bytes').map((element) => element.value)
    return certificates.length === item.items.length ? certificates : undefined
  },
}
