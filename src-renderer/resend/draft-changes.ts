import { fromHex, fromUtf8, toHex, utf8 } from '../../src-main/core/protocol/bytes.ts'
import { type AnswerDraft, type BytePart, fieldsOf, HEX_FIELDS, isCounter, isHex, plainHex } from './answer-draft.ts'
import { type Member, membersIn, textOfMembers } from './members.ts'

type Fields = Pick<AnswerDraft, 'hex' | 'flags' | 'counter'>

/** A part with other bytes: the fields that it is taken apart into follow. */
export const withBytes = (draft: AnswerDraft, part: BytePart, text: string): AnswerDraft => {
  const next = { ...draft, bytes: { ...draft.bytes, [part]: text }, typed: { ...draft.typed, [part]: true } }
  const bytes = fromHex(plainHex(text) ?? '')
  if (!bytes.ok) return next
  if (part === 'clientDataJSON') return { ...next, members: membersIn(fromUtf8(bytes.value) ?? '') ?? [] }
  if (part !== 'authenticatorData') return next
  const { flags: _, counter: __, rest: ___, ...others } = next
  return { ...others, ...fieldsOf(bytes.value) }
}

/** Other members of the client data: its bytes follow. */
export const withMembers = (draft: AnswerDraft, members: readonly Member[]): AnswerDraft => ({
  ...draft,
  members,
  bytes: { ...draft.bytes, clientDataJSON: toHex(utf8(textOfMembers(members))) },
})

/** Other fields of the authenticator data: its bytes follow, unless a field cannot be sent. */
export const withFields = (draft: AnswerDraft, change: Partial<Fields>): AnswerDraft => {
  const next = { ...draft, ...change }
  const authenticatorData = bytesOf(next)
  return authenticatorData === undefined ? next : { ...next, bytes: { ...next.bytes, authenticatorData } }
}

const bytesOf = ({ hex, flags, counter, rest = '' }: AnswerDraft): string | undefined => {
  if (flags === undefined || counter === undefined || !isCounter(counter)) return undefined
  if (!HEX_FIELDS.every((name) => isHex(hex[name] ?? ''))) return undefined
  const of = (name: keyof typeof hex) => plainHex(hex[name]) ?? ''
  const id = of('attestedId')
  const attested = hex.aaguid === undefined ? '' : of('aaguid') + hexOf(id.length / 2, 2) + id + of('publicKey')
  return of('rpIdHash') + hexOf(flags, 1) + hexOf(Number(counter), 4) + attested + rest
}

const hexOf = (number: number, octets: number): string => number.toString(16).padStart(2 * octets, '0')
