import type { ReactNode } from 'react'
import { isObject, jsonIn } from '../../src-main/core/protocol/json.ts'
import { texts } from '../ui/texts.ts'
import { type Pair, PairList } from './pair-list.tsx'

type MemberFieldsProps = {
  readonly label: string
  readonly members: readonly Member[]
  readonly onChange: (members: readonly Member[]) => void
  readonly unitOf?: (member: Member) => ReactNode
}

/** The members of a JSON object; values other than texts are written as JSON. */
export const MemberFields = ({ unitOf, ...rest }: MemberFieldsProps) => {
  const { memberName: name, memberValue: value, addMember: add } = texts.resend
  const { members: pairs, ...list } = rest
  return (
    <PairList
      {...list}
      pairs={pairs}
      words={{ name, value, add }}
      empty={{ name: '', value: '', json: false }}
      isWrong={isWrongMember}
      {...(unitOf === undefined ? {} : { unitOf })}
    />
  )
}

/** One member of a JSON object. `json`: its value is any JSON but a string. */
export type Member = Pair & { readonly json: boolean }

/** Undefined if the text is not a JSON object. */
export const membersIn = (text: string): readonly Member[] | undefined => {
  const object = jsonIn(text)
  if (!isObject(object)) return undefined
  return Object.entries(object).map(([name, value], id) =>
    typeof value === 'string'
      ? { id, name, value, json: false }
      : { id, name, value: JSON.stringify(value), json: true },
  )
}

export const isWrongMember = ({ json, value }: Member): boolean => json && jsonIn(value) === undefined

/** Anything that is not JSON becomes a text. */
export const textOfMembers = (members: readonly Member[]): string =>
  JSON.stringify(Object.fromEntries(members.map((member) => [member.name, readMember(member)])))

const readMember = (member: Member): unknown =>
  member.json && !isWrongMember(member) ? jsonIn(member.value) : member.value
