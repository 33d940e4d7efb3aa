import { wordOf } from '../../../src-main/core/contract/judge/failure-words.ts'
import { aboutLook } from '../../../src-main/views/timeline/filter.ts'
import type { Look } from '../../../src-main/views/timeline/look.ts'
import type { Group, Message, Row, Timeline } from '../../../src-main/views/timeline/timeline.ts'
import { groupTitle, wordsOf } from '../../bench/words.ts'
import type { About, Address } from '../../ui/address.ts'
import { hourMinuteSecond } from '../../ui/format.ts'
import { texts } from '../../ui/texts.ts'
import { parseQuery, type Query, rank, searchable } from '../rank.ts'
import type { Found, Source } from './finding.ts'

/** Enough for an overview; the timeline’s search has all. */
const MOST = 6

/** A message ID has 22 characters. Fewer than these are a word. */
const ID_START = 6

/** A timeline, and how its parts are called in an address. */
export type Recorded = {
  readonly timeline: Timeline
  readonly rpName: (id: string) => string
  readonly addressOf: (about: About) => Address
}

/** Ceremonies by user, RP, method, state, error and message ID, the newest first. */
export const ceremoniesSource = ({ timeline, rpName, addressOf }: Recorded): Source => {
  const ready = once(() => ceremonies(timeline, rpName))
  const found = ({ group, message, id, text }: Ceremony, query: Query): Found => {
    const name = nameOf(group)
    return {
      finding: {
        key: message.msgId,
        title: name,
        leads: `${texts.palette.found.timeline} · ${hourMinuteSecond(group.bench)} · ${stateOf(message)}`,
        to: { address: addressOf({ msgId: message.msgId }) },
      },
      match: rank(query, searchable(name, [id], text)) ?? { score: 0, at: [] },
    }
  }
  return {
    group: 'ceremonies',
    find: (query) => {
      const { text: start, words } = query
      const all = ready()
      const named = start.length < ID_START ? [] : firstOf(all, ({ id }) => id.startsWith(start))
      const others = firstOf(all, ({ text }) => words.every((word) => text.includes(word)))
      return [...new Set([...named, ...others])].map((each) => found(each, query))
    },
  }
}

type Ceremony = {
  readonly group: Group
  readonly message: Message
  readonly id: string
  readonly text: string
}

const ceremonies = (timeline: Timeline, rpName: Recorded['rpName']): readonly Ceremony[] =>
  newestFirst(timeline).flatMap((group) => {
    const { message } = group
    if (message === undefined) return []
    const { msgId, userId, method, rpId, algorithm, error, state } = message
    const text = [nameOf(group), userId, method, rpName(rpId), algorithm, error, state, texts.states[state], msgId]
    return { group, message, id: msgId.toLowerCase(), text: text.join(' ').toLowerCase() }
  })

/** Exchanges by number, and by the text of their row: operation, path, status and error. */
export const exchangesSource = ({ timeline, addressOf }: Recorded): Source => {
  const ready = once(() => exchanges(timeline))
  const found = ({ row, group, user }: Exchange, seq: number, query: Query): Found => {
    const name = user === '' ? wordsOf(row) : `${wordsOf(row)} · ${group.message?.username}`
    const answer = row.code === 0 || row.code === undefined ? row.status : `${row.status ?? ''} ${row.code}`
    const { exchange } = texts.palette.found
    return {
      finding: {
        key: String(seq),
        title: name,
        leads: `${row.method} ${row.path} · ${answer} · ${hourMinuteSecond(row.bench)} · ${exchange(seq)}`,
        to: { address: addressOf({ seq }) },
      },
      match: rank(query, searchable(name, [String(seq)], aboutLook(row.look, texts.timeline))) ?? { score: 0, at: [] },
    }
  }
  return {
    group: 'exchanges',
    find: (query) => {
      const all = ready()
      const seq = Number(/^#?(\d{1,15})$/.exec(query.text)?.[1] ?? Number.NaN)
      const named = Number.isNaN(seq) ? undefined : all.find(({ row }) => row.id === seq || [...row.seqs].includes(seq))
      const missing = new Map<Look, readonly string[]>()
      const others = firstOf(all, ({ row: { look }, user }) => {
        let lacks = missing.get(look)
        if (lacks === undefined) {
          const said = aboutLook(look, texts.timeline)
          lacks = query.words.filter((word) => !said.includes(word))
          missing.set(look, lacks)
        }
        // A row whose ceremony alone matches is found with the ceremony.
        return lacks.length < query.words.length && lacks.every((word) => user.includes(word))
      })
      return [
        ...(named === undefined ? [] : [found(named, seq, parseQuery(String(seq)))]),
        ...others.filter((each) => each !== named).map((each) => found(each, lastSeq(each), query)),
      ]
    },
  }
}

type Exchange = { readonly row: Row; readonly group: Group; readonly user: string }

const exchanges = (timeline: Timeline): readonly Exchange[] =>
  newestFirst(timeline).flatMap((group) => {
    const user = group.message?.username.toLowerCase() ?? ''
    return [...group.rows]
      .filter(({ kind }) => kind === 'exchange')
      .map((row) => ({ row, group, user }))
      .reverse()
  })

const lastSeq = ({ row }: Exchange): number => row.seqs.at(-1) ?? row.id

const newestFirst = ({ groups }: Timeline): readonly Group[] => [...groups].reverse()

const nameOf = (group: Group): string => {
  const { title, sub } = groupTitle(group)
  return `${title} ${sub}`
}

const firstOf = <T>(all: readonly T[], fits: (each: T) => boolean): readonly T[] => {
  const found: T[] = []
  for (const each of all) {
    if (found.length >= MOST) break
    if (fits(each)) found.push(each)
  }
  return found
}

/** The index is made at the first search. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const stateOf = ({ state, error }: Message): string =>
  state === 'fail' && error !== undefined ? `${texts.states.fail}: ${wordOf(error)}` : texts.states[state]
