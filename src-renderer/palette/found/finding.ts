import type { Address } from '../../ui/address.ts'
import type { Texts } from '../../ui/texts.ts'
import type { CommandContext } from '../desk.ts'
import type { Match } from '../fuzzy.ts'
import { type Query, rankMatch, toSearchable } from '../rank.ts'

export type FoundGroupId = keyof Texts['palette']['found']['groups']

export type Finding = {
  /** Unique in its group. */
  readonly key: string
  readonly title: string
  /** Name of the place that the finding opens, as the page calls it. */
  readonly leads: string
  readonly ids?: readonly string[]
  readonly also?: string
  readonly to: Destination
}

export type Destination =
  | { readonly address: Address }
  /** An address outside this workspace; the page reloads. */
  | { readonly href: string }
  | { readonly run: (desk: CommandContext) => void }

export type RankedFinding = { readonly finding: Finding; readonly match: Match }

export type FindingSource = {
  readonly group: FoundGroupId
  /** Returns the matches in any order. */
  readonly find: (query: Query) => readonly RankedFinding[]
}

/** The index is built once, not at every key. */
export const createSource = (group: FoundGroupId, findings: readonly Finding[]): FindingSource => {
  const ready = once(() =>
    findings.map((finding) => ({ finding, text: toSearchable(finding.title, finding.ids, finding.also) })),
  )
  return {
    group,
    find: (query) =>
      ready().flatMap(({ finding, text }) => {
        const match = rankMatch(query, text)
        return match === undefined ? [] : [{ finding, match }]
      }),
  }
}

export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
