import type { Address } from '../../ui/address.ts'
import type { Texts } from '../../ui/texts.ts'
import type { Desk } from '../desk.ts'
import type { Match } from '../fuzzy.ts'
import { type Query, rank, type Searchable, searchable } from '../rank.ts'

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
  | { readonly run: (desk: Desk) => void }

export type Found = { readonly finding: Finding; readonly match: Match }

export type Source = {
  readonly group: FoundGroupId
  /** Returns the matches in any order. */
  readonly find: (query: Query) => readonly Found[]
}

/** The index is built once, not at every key. */
export const sourceOf = (group: FoundGroupId, findings: readonly Finding[]): Source => {
  let ready: readonly (readonly [Finding, Searchable])[] | undefined
  return {
    group,
    find: (query) => {
      ready ??= findings.map((finding) => [finding, searchable(finding.title, finding.ids, finding.also)])
      return ready.flatMap(([finding, text]) => {
        const match = rank(query, text)
        return match === undefined ? [] : [{ finding, match }]
      })
    },
  }
}
