import { type Should, shouldOfPhone, shouldOfService, topicsOf } from '../../src-main/core/contract/fault-advice.ts'
import type { FaultName } from '../../src-main/core/contract/faults.ts'
import type { SeenBy } from '../../src-main/core/contract/rp-care.ts'
import {
  type FaultStory,
  SERVICE_FAULT_NAMES,
  type ServiceFaultName,
  serviceFaultOf,
} from '../../src-main/core/contract/service-faults.ts'
import type { Data } from '../../src-main/sdk/client.ts'
import { faultText, messages, serviceFaultText } from '../ui/messages.ts'
import type { ArmField, Tunable } from './arming.ts'

/** A fault as it can be chosen, of a phone or of the service. */
export type FaultEntry = Tunable & {
  readonly title: string
  readonly group: string
  readonly should: Should
  /** A correct server's reaction, in a sentence; or the word by which it refuses. */
  readonly advice: string
  readonly seen: SeenBy
  /** A fault of the service: how it is tried. */
  readonly story?: FaultStory
  /** A fault of a phone: the ceremony that it affects, and whether that begins by a push. */
  readonly ceremony?: 'registration' | 'authentication' | 'both'
  readonly byPush?: boolean
  /** All by which it is found, in small letters. */
  readonly search: string
}

/** Its name, its text, its group and what people call such a thing. */
export const searchOf = (name: FaultName | ServiceFaultName, ...texts: readonly string[]): string =>
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
      ...{ name, title, seen, story, should: shouldOfService(name), advice: messages.carefulActs[act] },
      group: groupTitle,
      fields: Object.fromEntries(fields),
      scoped: true,
      search: searchOf(name, title, groupTitle, messages.carefulActs[act]),
    }
  })

export type Listed = Data<'catalogue.faults'>['faults'][number]

export const phoneEntries = (listed: readonly Listed[]): readonly FaultEntry[] =>
  listed.map(({ name, ceremony, seam, expected, seen, needs, parameters = {}, smallest = {}, largest = {} }) => {
    const title = faultText(name)
    const group = messages.phoneFaultGroups[seam as keyof typeof messages.phoneFaultGroups] ?? seam
    const outcomes = outcomesIn(expected)
    const [first = 'success'] = outcomes.filter((outcome) => outcome !== 'success')
    const should = shouldOfPhone(first)
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
      search: searchOf(name as FaultName, title, group, outcomes.map(String).join(' ')),
    }
  })

/** One for both ceremonies, or one for each. */
const outcomesIn = (expected: unknown): readonly (string | number)[] => {
  const all = typeof expected === 'object' && expected !== null ? Object.values(expected) : [expected]
  return [...new Set(all.filter((each) => typeof each === 'string' || typeof each === 'number'))]
}

/** Entries that contain every word. */
export const entriesWith = (entries: readonly FaultEntry[], wanted: string): readonly FaultEntry[] => {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ search }) => words.every((word) => search.includes(word)))
}
