import type { Group, Row } from '../bench/timeline.ts'
import { wordsOf } from '../bench/words.ts'

/** Groups and rows in which every word of the filter stands somewhere. */
export const filterGroups = (groups: readonly Group[], filter: string): readonly Group[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return groups
  return groups.flatMap((group) => {
    const about = aboutGroup(group)
    const rows = group.rows.filter((row) => {
      const text = `${about} ${aboutRow(row)}`
      return words.every((word) => text.includes(word))
    })
    return rows.length === 0 ? [] : [{ ...group, rows }]
  })
}

const aboutGroup = ({ message }: Group): string =>
  message === undefined
    ? ''
    : [message.ceremony, message.username, message.userId, message.method, message.svcUser, message.msgId]
        .join(' ')
        .toLowerCase()

const aboutRow = (row: Row): string =>
  [wordsOf(row), row.method, row.path, row.status, row.code, row.moved, row.after, row.from].join(' ').toLowerCase()
