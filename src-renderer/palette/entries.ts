import { texts } from '../ui/texts.ts'
import { linkTo, navigateTo } from '../ui/use-address.ts'
import { COMMANDS, type Command, commandName, type GroupId, isAvailableIn } from './commands.ts'
import type { CommandContext } from './desk.ts'
import type { Destination, FindingSource, FoundGroupId, RankedFinding } from './found/finding.ts'
import { fuzzyMatch, type Match } from './fuzzy.ts'
import { parseQuery } from './rank.ts'

export type Entry = {
  readonly key: string
  readonly group: GroupId | FoundGroupId
  readonly title: string
  /** Indexes of the title's characters that match the query. */
  readonly marked: readonly number[]
  readonly chord?: string
  readonly leads?: string
  readonly link?: () => string
  /** Question to confirm an action that cannot be undone. */
  readonly sure?: string
  readonly run: (desk: CommandContext) => void
}

export type EntryGroup = {
  readonly group: GroupId | FoundGroupId
  readonly title: string
  readonly entries: readonly Entry[]
}

/** Maximum number of entries of a group, so that the user need not scroll. */
const MAX_PER_GROUP = 6

type CommandEntry = Entry & { readonly command: Command }

export const entriesOf = (desk: CommandContext): readonly CommandEntry[] =>
  COMMANDS.filter(
    ({ where, keysOnly, run, possible }) =>
      isAvailableIn(where, desk.scene) && keysOnly === undefined && run !== undefined && possible?.(desk) !== false,
  ).flatMap((command) => {
    const titles = command.each?.(desk) ?? [command.title?.(desk) ?? commandName(command.id)]
    const [chord] = command.chords ?? []
    return titles.map((title, nth) => ({
      key: `${command.id}-${nth}`,
      group: command.group,
      command,
      title,
      marked: [],
      run: (at: CommandContext) => void command.run?.(at, nth),
      ...(command.sure === undefined ? {} : { sure: texts.palette.sure }),
      ...(chord === undefined ? {} : { chord: chord.replace('1–9', String(nth + 1)) }),
    }))
  })

/** Weight of a match outside the title. */
const ELSEWHERE = 0.5

/** Commands rank above findings that match equally well, because they are fewer. */
const COMMANDS_FIRST = 4

type Scored = { readonly entry: Entry; readonly score: number }

/** By group, best first; without a query, the commands in their usual order. */
export const findEntries = (
  commands: readonly CommandEntry[],
  typed: string,
  sources: readonly FindingSource[] = [],
): readonly EntryGroup[] => {
  const query = parseQuery(typed)
  if (query.text === '') return grouped(commands)
  const scored: Scored[] = commands.flatMap((entry) => {
    const match = commandMatch(entry, typed)
    return match === undefined ? [] : [{ entry: { ...entry, marked: match.at }, score: match.score + COMMANDS_FIRST }]
  })
  for (const { group, find } of sources) {
    const best = [...find(query)].sort((a, b) => b.match.score - a.match.score).slice(0, MAX_PER_GROUP)
    for (const found of best) scored.push({ entry: foundEntry(group, found), score: found.match.score })
  }
  return grouped(scored.sort((a, b) => b.score - a.score).map(({ entry }) => entry)).map((each) => ({
    ...each,
    entries: each.entries.slice(0, MAX_PER_GROUP),
  }))
}

const grouped = (entries: readonly Entry[]): readonly EntryGroup[] =>
  [...Map.groupBy(entries, ({ group }) => group)].map(([group, found]) => ({
    group,
    title: TITLES[group],
    entries: found,
  }))

const TITLES: Readonly<Record<Entry['group'], string>> = { ...texts.palette.groups, ...texts.palette.found.groups }

const commandMatch = ({ title, command: { id, group } }: CommandEntry, typed: string): Match | undefined => {
  const inTitle = fuzzyMatch(typed, title)
  if (inTitle !== undefined) return inTitle
  const { also, groups } = texts.palette
  return beginsWords(typed, `${also[id] ?? ''} ${title} ${groups[group]}`) ? { score: ELSEWHERE, at: [] } : undefined
}

const foundEntry = (group: FoundGroupId, { finding: { key, title, leads, to }, match }: RankedFinding): Entry => ({
  key: `${group}-${key}`,
  group,
  title,
  marked: match.at,
  leads,
  run: (desk) => follow(to, desk),
  ...('address' in to ? { link: () => linkTo(to.address) } : 'href' in to ? { link: () => to.href } : {}),
})

const follow = (to: Destination, desk: CommandContext): void => {
  if ('address' in to) navigateTo(to.address)
  else if ('href' in to) location.assign(to.href)
  else to.run(desk)
}

const beginsWords = (query: string, text: string): boolean => {
  const words = text.toLowerCase().split(/\s+/)
  return query
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every((start) => words.some((word) => word.startsWith(start)))
}
