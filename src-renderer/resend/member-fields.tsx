import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { isObject, parseJsonOrNothing } from '../../src-main/core/protocol/json.ts'
import { IconButton, QuietButton, TextField } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import styles from './resend.module.css'

/** Values that are not strings are written as JSON. */
export const MemberFields = (props: Pick<PairListProps<Member>, 'label' | 'pairs' | 'onChange' | 'unitOf'>) => {
  const { memberName: name, memberValue: value, addMember: add } = texts.resend
  const empty = { name: '', value: '', json: false }
  return <PairList {...props} words={{ name, value, add }} empty={empty} isWrong={isWrongMember} />
}

/** `json`: the value is any JSON but a string. */
export type Member = NamedValue & { readonly json: boolean }

export const parseMembers = (text: string): readonly Member[] | undefined => {
  const object = parseJsonOrNothing(text)
  if (!isObject(object)) return undefined
  return Object.entries(object).map(([name, value], id) =>
    typeof value === 'string'
      ? { id, name, value, json: false }
      : { id, name, value: JSON.stringify(value), json: true },
  )
}

export const isWrongMember = ({ json, value }: Member): boolean => json && parseJsonOrNothing(value) === undefined

/** A value that is not valid JSON becomes a string. */
export const formatMembers = (members: readonly Member[]): string =>
  JSON.stringify(Object.fromEntries(members.map((member) => [member.name, readMember(member)])))

const readMember = (member: Member): unknown =>
  member.json && !isWrongMember(member) ? parseJsonOrNothing(member.value) : member.value

export type NamedValue = { readonly id: number; readonly name: string; readonly value: string }

type PairListProps<P extends NamedValue> = {
  readonly label: string
  readonly words: { readonly name: string; readonly value: (name: string) => string; readonly add: string }
  readonly pairs: readonly P[]
  /** All when absent. */
  readonly shown?: readonly P[]
  readonly empty: Omit<P, 'id'>
  readonly onChange: (pairs: readonly P[]) => void
  readonly isWrong?: (pair: P) => boolean
  readonly unitOf?: (pair: P) => ReactNode
}

export const PairList = <P extends NamedValue>({
  label,
  words,
  pairs,
  shown = pairs,
  empty,
  onChange,
  isWrong = () => false,
  unitOf,
}: PairListProps<P>) => {
  const set = (id: number, change: Partial<NamedValue>) =>
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, ...change } : pair)))
  const id = Math.max(-1, ...pairs.map((pair) => pair.id)) + 1
  return (
    <>
      <ul className="grid gap-4" aria-label={label}>
        {shown.map((pair) => (
          <li key={pair.id} className={`${styles.pair} middle grid gap-4`}>
            <TextField name={words.name} mono value={pair.name} onText={(text) => set(pair.id, { name: text })} />
            <TextField
              name={words.value(pair.name)}
              wrong={isWrong(pair)}
              mono
              value={pair.value}
              onText={(text) => set(pair.id, { value: text })}
            >
              {unitOf?.(pair)}
            </TextField>
            <IconButton
              Icon={X}
              name={texts.resend.remove(pair.name)}
              onClick={() => onChange(pairs.filter((each) => each.id !== pair.id))}
            />
          </li>
        ))}
      </ul>
      <QuietButton Icon={Plus} onClick={() => onChange([...pairs, { ...empty, id } as P])} text={words.add} />
    </>
  )
}
