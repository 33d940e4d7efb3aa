import { FAULT_STORIES } from '../../core/contract/service-faults.ts'
import type { Trial } from '../../core/contract/suite-findings.ts'
import { nearest } from '../../core/protocol/nearest.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { TRIAL_NAMES, trialsOf } from '../../testing/suite/walk.ts'
import type { suiteOptions } from '../options.ts'
import type { ReadOptions } from '../read-options.ts'

/** The named faults and stories; if none is named, all. */
export const parseTrials = ({ options, named }: ReadOptions<typeof suiteOptions>): Result<readonly Trial[], string> => {
  const what = `${named('fault')} names no fault of the service and no check`
  const faults = namesIn(options.fault, { known: TRIAL_NAMES, what })
  if (!faults.ok) return faults
  const stories = namesIn(options.story, { known: FAULT_STORIES, what: `${named('story')} names no story` })
  if (!stories.ok) return stories
  const trials = trialsOf(faults.value, stories.value)
  if (trials.length > 0) return ok(trials)
  const tried = [...new Set(trialsOf(faults.value).map(({ story }) => story))].join(', ')
  return err(`${named('story')} names a story in which these faults are not tried. They are tried in ${tried}.`)
}

const namesIn = <const N extends string>(
  given: readonly string[] = [],
  { known, what }: { readonly known: readonly N[]; readonly what: string },
): Result<readonly N[], string> => {
  const stranger = given.find((name) => !known.some((each) => each === name))
  if (stranger === undefined) return ok(given.length === 0 ? known : known.filter((name) => given.includes(name)))
  const near = nearest(stranger, known)
  return err(`${what}: "${stranger}".${near === undefined ? '' : ` Did you mean ${near}?`}`)
}
