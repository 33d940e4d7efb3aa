import { isObject, jsonIn } from '../../src-main/core/protocol/json.ts'
import type { Pair } from './pair-list.tsx'

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
