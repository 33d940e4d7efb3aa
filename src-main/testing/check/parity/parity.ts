import type { CheckedCase } from '../../../core/contract/check-report.ts'
import type { Difference, ParityReport, Recording } from '../../../core/contract/parity-report.ts'
import {
  defaultProfile,
  type Profile,
  type ProfileKey,
  type ProfileSetting,
  profileSettings,
  type Rule,
} from '../../../core/contract/profile.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { ALL_CASES, type PlannedCase } from '../run-check.ts'
import {
  type CaseComparison,
  compareCases,
  differenceKey,
  groupDifferences,
  readCase,
  type ServiceAddresses,
} from './compare.ts'

export type PlayedRun = { readonly standing: ServiceAddresses; readonly cases: readonly CheckedCase[] }
export type PlayCases = (profile: Partial<Profile>, cases: readonly PlannedCase[]) => Promise<PlayedRun>

export type ParityOptions = {
  readonly recording: Recording
  readonly play: PlayCases
  readonly signal: AbortSignal
  readonly onTry: (what: string) => void
}

type Found = Pick<ParityReport, 'compared' | 'left_out' | 'differences' | 'profile' | 'conditions'>

/** A difference in at most this many cases may come from a race: it counts only if it occurs every time. */
const RARE = 2
const PLAYS = 3

/** Keeps a setting that makes more answers match the recording, or as many with fewer differences. */
export const findParity = async ({ recording, play, signal, onTry }: ParityOptions): Promise<Found> => {
  const recorded = new Map(recording.cases.map((each) => [each.id, each]))
  const read = new Map(recording.cases.map((each) => [each.id, readCase(each, recording)]))
  const playable = ALL_CASES.filter(({ id, needs }) => {
    const verdict = recorded.get(id)?.verdict
    return verdict !== undefined && verdict !== 'skipped' && !needs.includes('expiry')
  })
  const compare = async (profile: Partial<Profile>, cases: readonly PlannedCase[], rounds = PLAYS) => {
    const best = new Map<string, CaseComparison>()
    for (let round = 0; round < rounds; round++) {
      const rare = rareIn(best)
      const again = round === 0 ? cases : cases.filter(({ id }) => rare.has(id))
      if (again.length === 0) break
      signal.throwIfAborted()
      const { standing, cases: ours } = await play(profile, again)
      for (const one of ours) {
        const found = compareCases(read.get(one.id) ?? [], readCase(one, standing))
        const before = best.get(one.id)
        if (before === undefined || found.deviations.length < before.deviations.length) best.set(one.id, found)
      }
    }
    return best
  }

  let profile: Partial<Profile> = {}
  onTry('as it is')
  let found = await compare(profile, playable)
  const removed: Difference[] = []
  const attempt = async (key: ProfileKey, value: unknown): Promise<boolean> => {
    const setting = `${key}: ${JSON.stringify(value)}`
    onTry(setting)
    const next = { ...profile, [key]: value }
    const sample = samplesOf(found)
    const sampled = playable.filter(({ id }) => sample.has(id))
    if (!isNearer(await compare(next, sampled, 1), only(found, sample))) return false
    const whole = await compare(next, playable)
    if (!isNearer(whole, found)) return false
    const left = new Set(groupDifferences(whole).map(differenceKey))
    removed.push(
      ...groupDifferences(found).flatMap((each) =>
        left.has(differenceKey(each)) ? [] : [{ ...each, removed_by: setting }],
      ),
    )
    profile = next
    found = whole
    return true
  }
  for (const { key, values } of candidates(recording)) {
    for (const value of values) {
      if (groupDifferences(found).length === 0) break
      if (!isSame(value, profile[key] ?? defaultProfile[key]) && (await attempt(key, value))) break
    }
  }
  onTry('how long answers take')
  const { slower, conditions } = latency(recording, await play(profile, playable), playable)
  return {
    compared: playable.length,
    left_out: recording.cases.length - playable.length,
    differences: [...removed, ...slower, ...groupDifferences(found)],
    profile,
    conditions,
  }
}

type Comparison = ReadonlyMap<string, CaseComparison>

const only = (found: Comparison, ids: ReadonlySet<string>): Comparison =>
  new Map([...found].filter(([id]) => ids.has(id)))

const unmatchedIn = (found: Comparison): number =>
  [...found.values()].reduce((sum, { unmatched }) => sum + unmatched, 0)

const isNearer = (one: Comparison, other: Comparison): boolean => {
  const [a, b] = [unmatchedIn(one), unmatchedIn(other)]
  return a === b ? groupDifferences(one).length < groupDifferences(other).length : a < b
}

const rareIn = (found: Comparison): ReadonlySet<string> =>
  new Set(groupDifferences(found).flatMap(({ cases }) => (cases.length <= RARE ? cases : [])))

const samplesOf = (found: Comparison): ReadonlySet<string> =>
  new Set(groupDifferences(found).flatMap(({ cases }) => cases.slice(0, 1)))

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

type Candidate = { readonly key: ProfileKey; readonly values: readonly unknown[] }

/** Settings to try: the measured value, or each possible one. Errors first: they affect every answer. */
const candidates = ({ measured }: Recording): readonly Candidate[] => {
  const rules = Object.entries(profileSettings) as [ProfileKey, ProfileSetting][]
  return rules
    .filter(([, { parity }]) => parity !== 'unseen')
    .toSorted(([, a], [, b]) => Number(b.group === 'Errors') - Number(a.group === 'Errors'))
    .map(([key, { rule }]) => ({ key, values: measured[key] === undefined ? valuesOf(rule) : [measured[key]] }))
}

const valuesOf = (rule: Rule): readonly unknown[] => {
  if (rule.kind === 'choice') return rule.values
  if (rule.kind === 'flag') return [!rule.default]
  if (rule.kind !== 'set') return []
  return rule.values.map((value) => [value])
}

/** A smaller difference does not matter. */
const MIN_LATENCY_MS = 20

const latency = (recording: Recording, played: PlayedRun, cases: readonly PlannedCase[]) => {
  const ids = new Set(cases.map(({ id }) => id))
  const recorded = recording.cases.filter(({ id }) => ids.has(id))
  const theirs = usualOf(recorded, recording)
  const ours = usualOf(played.cases, played.standing)
  const found = (['rp', 'app'] as const).flatMap((side) => {
    const [one, other] = [theirs[side], ours[side]]
    if (one === undefined || other === undefined || one - other < MIN_LATENCY_MS) return []
    const latency_ms = Math.round(one - other)
    return [{ side, latency_ms, theirs: one, ours: other }]
  })
  const slower = found.map(
    ({ side, latency_ms, theirs: a, ours: b }): Difference => ({
      kind: 'time',
      where: side === 'rp' ? 'calls of the RP' : 'calls of the phone',
      field: 'quickest tenth',
      ...{ theirs: `${a} ms`, ours: `${b} ms`, cases: [], removed_by: `${side}.latency_ms: ${latency_ms}` },
    }),
  )
  return { slower, conditions: Object.fromEntries(found.map(({ side, latency_ms }) => [side, { latency_ms }])) }
}

/** Typical durations of RP and app calls, from the quicker responses: a busy machine affects those least. */
const usualOf = (cases: readonly CheckedCase[], { base_url }: ServiceAddresses) => {
  const rp = `${base_url.replace(/\/$/, '')}/rp/`
  const exchanges = cases.flatMap((each) => each.exchanges).filter(({ status }) => status !== 0)
  const usual = (isRp: boolean): number | undefined => {
    const took = exchanges.filter(({ url }) => url.startsWith(rp) === isRp).map(({ took_ms }) => took_ms)
    return took.toSorted((a, b) => a - b)[Math.floor(took.length / 10)]
  }
  return { rp: usual(true), app: usual(false) }
}

export const isRecording = (value: unknown): value is Recording =>
  isObject(value) &&
  typeof value.base_url === 'string' &&
  URL.canParse(value.base_url) &&
  isObject(value.profile) &&
  isObject(value.measured) &&
  Array.isArray(value.cases) &&
  value.cases.every(
    (each) =>
      isObject(each) &&
      typeof each.id === 'string' &&
      typeof each.verdict === 'string' &&
      Array.isArray(each.exchanges) &&
      each.exchanges.every(isExchange),
  )

const isExchange = (value: unknown): boolean =>
  isObject(value) &&
  ['method', 'url', 'request_body', 'response_body'].every((key) => typeof value[key] === 'string') &&
  ['status', 'at', 'took_ms'].every((key) => typeof value[key] === 'number') &&
  URL.canParse(String(value.url)) &&
  Array.isArray(value.response_headers) &&
  value.response_headers.every((pair) => Array.isArray(pair) && pair.every((part) => typeof part === 'string'))
