import { texts } from '../ui/texts.ts'
import { COMMANDS, type Command, type GroupId, isIn, nameOf } from './commands.ts'
import type { Desk } from './desk.ts'
import { fuzzy } from './fuzzy.ts'

/** One line of the palette. */
export type Entry = {
  readonly key: string
  readonly command: Command
  readonly nth: number
  readonly title: string
  /** The characters of the title that were asked for. */
  readonly marked: readonly number[]
  readonly chord?: string
}

export type EntryGroup = { readonly group: GroupId; readonly entries: readonly Entry[] }

/** What the palette offers at this moment. */
export const entriesOf = (desk: Desk): readonly Entry[] =>
  COMMANDS.filter(
    ({ where, keysOnly, run, possible }) =>
      isIn(where, desk.scene) && keysOnly === undefined && run !== undefined && possible?.(desk) !== false,
  ).flatMap((command) => {
    const titles = command.each?.(desk) ?? [command.title?.(desk) ?? nameOf(command.id)]
    const [chord] = command.chords ?? []
    return titles.map((title, nth) => ({
      key: `${command.id}-${nth}`,
      command,
      nth,
      title,
      marked: [],
      ...(chord === undefined ? {} : { chord: chord.replace('1–9', String(nth + 1)) }),
    }))
  })

/** What is found in other words comes after what is found in a title. */
const ELSEWHERE = 0.5

/** What fits the query, best first within its group and best group first; everything in its usual order without one. */
export const findEntries = (entries: readonly Entry[], query: string): readonly EntryGroup[] => {
  const scored = entries.flatMap((entry) => {
    const { group, id } = entry.command
    const inTitle = fuzzy(query, entry.title)
    if (inTitle !== undefined) return [{ entry: { ...entry, marked: inTitle.at }, score: inTitle.score }]
    const also = `${texts.palette.also[id] ?? ''} ${entry.title} ${texts.palette.groups[group]}`
    return beginsWords(query, also) ? [{ entry, score: ELSEWHERE }] : []
  })
  if (query.trim() !== '') scored.sort((a, b) => b.score - a.score)
  const groups = new Map<GroupId, Entry[]>()
  for (const { entry } of scored) {
    const { group } = entry.command
    groups.set(group, [...(groups.get(group) ?? []), entry])
  }
  return [...groups].map(([group, found]) => ({ group, entries: found }))
}

const beginsWords = (query: string, text: string): boolean => {
  const words = text.toLowerCase().split(/\s+/)
  return query
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every((start) => words.some((word) => word.startsWith(start)))
}
