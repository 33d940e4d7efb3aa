import type { Look } from '../bench/look.ts'
import type { Series } from '../bench/series.ts'
import type { Group, Row } from '../bench/timeline.ts'
import { wordsOf } from '../bench/words.ts'

/** Which rows of a group the filter leaves, by their places, and what that was worked out from. */
export type Matches = {
  readonly about: string
  readonly of: Series<Row>
  readonly rows: number[]
}

/** Finds the rows in which every word stands somewhere: in the row itself, or in what its group is about. */
export type Filter = (group: Group, before?: Matches) => Matches

/** No filter when there is no word in it. */
export const createFilter = (text: string): Filter | undefined => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return undefined
  const missing = new Map<Look, readonly string[]>()
  const missingIn = (look: Look): readonly string[] => {
    const known = missing.get(look)
    if (known !== undefined) return known
    const said = aboutLook(look)
    const lacks = words.filter((word) => !said.includes(word))
    missing.set(look, lacks)
    return lacks
  }
  return (group, before) => {
    const about = aboutGroup(group)
    // What a group is about seldom changes, its rows only at their end.
    const same = before !== undefined && before.about === about
    const rows = same ? before.rows : []
    for (const place of same ? group.rows.changedSince(before.of) : places(group.rows)) {
      if (rows.at(-1) === place) rows.pop()
      const row = group.rows.get(place)
      if (row !== undefined && missingIn(row.look).every((word) => about.includes(word))) rows.push(place)
    }
    return { about, of: group.rows, rows }
  }
}

function* places(rows: Series<Row>): Generator<number> {
  for (let place = rows.first; place < rows.end; place++) yield place
}

const aboutGroup = ({ message }: Group): string =>
  message === undefined
    ? ''
    : [message.ceremony, message.username, message.userId, message.method, message.svcUser, message.msgId]
        .join(' ')
        .toLowerCase()

const aboutLook = (look: Look): string =>
  [wordsOf(look), look.method, look.path, look.status, look.code, look.moved, look.after, look.from]
    .join(' ')
    .toLowerCase()
