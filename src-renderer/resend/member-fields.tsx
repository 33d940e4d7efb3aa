import type { ReactNode } from 'react'
import { texts } from '../ui/texts.ts'
import { isWrongMember, type Member } from './members.ts'
import { PairList } from './pair-list.tsx'

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
