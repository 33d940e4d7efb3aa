import {
  type Reaction,
  reactionToPhoneFault,
  reactionToServiceFault,
  topicsOf,
} from '../../src-main/core/contract/fault-advice.ts'
import type { FaultName } from '../../src-main/core/contract/faults.ts'
import type { SeenBy } from '../../src-main/core/contract/rp-care.ts'
import {
  type FaultStory,
  SERVICE_FAULT_NAMES,
  type ServiceFaultName,
  serviceFaultOf,
} from '../../src-main/core/contract/service-faults.ts'
import { err, ok, type Result } from '../../src-main/core/protocol/result.ts'
import type { Data } from '../../src-main/sdk/client.ts'
import { faultText, messages, serviceFaultText } from '../ui/messages.ts'
import { isWithin, type NumberRange } from '../ui/number-range.ts'

export type FaultEntry = TunableFault & {
  readonly title: string
  readonly group: string
  readonly should: Reaction
  /** A correct server's reaction: a sentence, or the failure code with which it refuses. */
  readonly advice: string
  readonly seen: SeenBy
  readonly story?: FaultStory
  /** For a fault of a phone: the ceremony that it affects; `byPush` if a push must start the ceremony. */
  readonly ceremony?: 'registration' | 'authentication' | 'both' | 'none'
  readonly byPush?: boolean
  /** In lower case. */
  readonly search: string
}

export const faultSearchText = (name: FaultName | ServiceFaultName, ...texts: readonly string[]): string =>
  [name, ...texts, ...topicsOf(name).map((topic) => messages.faultTopics[topic])].join(' ').toLowerCase()

export const serviceEntries = (): readonly FaultEntry[] =>
  SERVICE_FAULT_NAMES.map((name) => {
    const { group, act, seen, story, parameters = {} } = serviceFaultOf(name)
    const title = serviceFaultText(name)
    const groupTitle = messages.serviceFaultGroups[group]
    const fields = Object.entries(parameters).map(([key, field]): [string, ArmField] => [
      key,
      field.kind === 'text'
        ? field
        : { kind: 'number', preset: field.preset, range: { kind: 'whole', least: field.least, most: field.most } },
    ])
    return {
      ...{ name, title, seen, story, should: reactionToServiceFault(name), advice: messages.carefulActs[act] },
      group: groupTitle,
      fields: Object.fromEntries(fields),
      scoped: true,
      search: faultSearchText(name, title, groupTitle, messages.carefulActs[act]),
    }
  })

export type ListedFault = Data<'catalogue.faults'>['faults'][number]

export const phoneEntries = (listed: readonly ListedFault[]): readonly FaultEntry[] =>
  listed.map(({ name, ceremony, seam, expected, seen, needs, parameters = {}, smallest = {}, largest = {} }) => {
    const title = faultText(name)
    const group = messages.phoneFaultGroups[seam as keyof typeof messages.phoneFaultGroups] ?? seam
    const outcomes = outcomesIn(expected)
    const [first = 'success'] = outcomes.filter((outcome) => outcome !== 'success')
    const should = reactionToPhoneFault(first)
    const fields = Object.entries(parameters).map(([key, preset]): [string, ArmField] => [
      key,
      {
        kind: 'number',
        preset: Number(preset),
        range: { kind: 'whole', least: Number(smallest[key] ?? 0), most: Number(largest[key]) },
      },
    ])
    return {
      ...{ name, title, group, seen, ceremony, should },
      advice: should === 'refuse' ? outcomes.map(String).join(', ') : '',
      byPush: needs?.method === 'push',
      fields: Object.fromEntries(fields),
      search: faultSearchText(name as FaultName, title, group, outcomes.map(String).join(' ')),
    }
  })

/** Expected outcomes: one for both ceremonies, or one for each. */
const outcomesIn = (expected: unknown): readonly (string | number)[] => {
  const all = typeof expected === 'object' && expected !== null ? Object.values(expected) : [expected]
  return [...new Set(all.filter((each) => typeof each === 'string' || typeof each === 'number'))]
}

/** Entries that contain every word. */
export const filterEntries = (entries: readonly FaultEntry[], wanted: string): readonly FaultEntry[] => {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ search }) => words.every((word) => search.includes(word)))
}

export const FREQUENCIES = ['once', 'times', 'always', 'chance'] as const

/** The fields of a fault before it is armed, as the user typed them. */
export type ArmDraft = {
  readonly often: (typeof FREQUENCIES)[number]
  readonly times: string
  readonly chance: string
  readonly parameters: Readonly<Record<string, string>>
  /** The only user for whom it is triggered; empty: all. */
  readonly user: string
}

type ArmField =
  | { readonly kind: 'number'; readonly preset: number; readonly range: NumberRange }
  | { readonly kind: 'text'; readonly preset: string; readonly most: number }

export type TunableFault = {
  readonly name: string
  readonly fields: Readonly<Record<string, ArmField>>
  readonly scoped?: true
}

/** Body of the routes that arm faults. */
export type ArmBody = {
  readonly fault: string
  readonly times?: number
  readonly probability?: number
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly scope?: { readonly user_id: string }
}

/** The allowed values, by the field's name. */
export type InvalidFields = Readonly<Record<string, NumberRange>>

const TIMES: NumberRange = { kind: 'whole', least: 1, most: 1000 }
/** In per cent. Zero is invalid, because the fault would never be triggered. */
const CHANCE: NumberRange = { kind: 'part', least: 0.1, most: 100 }

export const createArmDraft = ({ fields }: TunableFault): ArmDraft => ({
  often: 'once',
  times: '2',
  chance: '50',
  user: '',
  parameters: Object.fromEntries(Object.entries(fields).map(([name, { preset }]) => [name, String(preset)])),
})

const rangesOf = (draft: ArmDraft, { fields }: TunableFault): InvalidFields => ({
  ...(draft.often === 'times' ? { times: TIMES } : draft.often === 'chance' ? { chance: CHANCE } : {}),
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.kind === 'number' ? [[name, field.range]] : [])),
  ),
})

const oftenOf = ({ often, times, chance }: ArmDraft): Omit<ArmBody, 'fault' | 'parameters'> => {
  if (often === 'always') return { probability: 1 }
  if (often === 'chance') return { probability: Number(chance) / 100 }
  return { times: often === 'once' ? 1 : Number(times) }
}

/** The fault to arm, or each invalid field. Unchanged fields are not sent. */
export const readDraft = (draft: ArmDraft, fault: TunableFault): Result<ArmBody, InvalidFields> => {
  const textOf = (field: string) => draft.parameters[field] ?? (field === 'times' ? draft.times : draft.chance)
  const wrong = Object.entries(rangesOf(draft, fault)).filter(([field, range]) => !isWithin(textOf(field), range))
  if (wrong.length > 0) return err(Object.fromEntries(wrong))
  const changed = Object.entries(fault.fields).flatMap(([name, { kind, preset }]) => {
    const text = draft.parameters[name] ?? String(preset)
    return text === String(preset) ? [] : [[name, kind === 'number' ? Number(text) : text] as const]
  })
  return ok({
    fault: fault.name,
    ...oftenOf(draft),
    ...(changed.length === 0 ? {} : { parameters: Object.fromEntries(changed) }),
    ...(draft.user.trim() === '' ? {} : { scope: { user_id: draft.user.trim() } }),
  })
}
