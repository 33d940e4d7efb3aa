/** Plays drawn mistakes: which test files reach each, and whether one of them fails. */
import type { Place } from './draw.ts'

/** `played` below `reaching`: not all files were played. */
export type Outcome = { readonly reaching: number; readonly played: number; readonly caughtBy?: string | undefined }
export type Reach = {
  /** Of each file that passes without a mistake. */
  readonly seconds: Readonly<Record<string, number>>
  /** Files by the id of a place. */
  readonly reached: Readonly<Record<string, readonly string[]>>
}
/** Plays files with mistakes put in, one mistake alone until the first failure; the first failed test by file. */
export type Play = (places: readonly Place[], files: readonly string[]) => Promise<ReadonlyMap<string, string>>

export const inWords = (byPart: Readonly<Record<string, Outcome>> | undefined): string => {
  const all = Object.values(byPart ?? {})
  const sum = (key: 'reaching' | 'played'): number => all.reduce((total, outcome) => total + outcome[key], 0)
  const caughtBy = all.find((outcome) => outcome.caughtBy !== undefined)?.caughtBy
  if (all.length === 0) return byPart === undefined ? 'not played' : 'gone'
  if (caughtBy !== undefined) return `caught by ${caughtBy}`
  return sum('reaching') === 0 ? 'reached by none' : `survived ${sum('played')} of ${sum('reaching')} files`
}

const FIRST_SECONDS = 20
const FIRST_FILES = 8

/**
 * Each mistake with the nearest and quickest of its tests first. What those let pass is then put in together, for one run of all other
 * tests that reach any of it: alone, a mistake is played again only with the files that fail there.
 */
export const playPlaces = async (
  places: readonly Place[],
  { seconds, reached }: Reach,
  play: Play,
  note: (place: Place, outcome: Outcome) => void,
): Promise<void> => {
  const secondsOf = (file: string): number => seconds[file] ?? 0
  /** The tests of a folder are named after it, and notice most. */
  const filesOf = ({ id, file: source }: Place): readonly string[] => {
    const words = source.split(/\W/)
    const farness = (file: string): number => -file.split(/\W/).filter((word) => words.includes(word)).length
    const known = (reached[id] ?? []).filter((file) => file in seconds)
    return known.toSorted((a, b) => farness(a) - farness(b) || secondsOf(a) - secondsOf(b))
  }
  const findFailure = async (place: Place, files: readonly string[]): Promise<string | undefined> => {
    const failures = files.length === 0 ? new Map<string, string>() : await play([place], files)
    const failed = files.find((file) => failures.has(file))
    return failed === undefined ? undefined : `${failed}: ${failures.get(failed)}`
  }
  const open = new Map<Place, readonly string[]>()
  for (const place of places) {
    const files = filesOf(place)
    const sumUntil = (nth: number): number => files.slice(0, nth + 1).reduce((sum, file) => sum + secondsOf(file), 0)
    const first = files.filter((_, nth) => nth < FIRST_FILES || sumUntil(nth) < FIRST_SECONDS)
    const caughtBy = await findFailure(place, first)
    note(place, { reaching: files.length, played: first.length, caughtBy })
    if (caughtBy === undefined && first.length < files.length) open.set(place, files.slice(first.length))
  }
  if (open.size === 0) return
  const failures = await play([...open.keys()], [...new Set([...open.values()].flat())])
  for (const [place, files] of open) {
    const caughtBy = await findFailure(
      place,
      files.filter((file) => failures.has(file)),
    )
    note(place, { reaching: filesOf(place).length, played: filesOf(place).length, caughtBy })
  }
}
