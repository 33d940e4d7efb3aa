import { err, ok, type Result } from '../../src-main/protocol/result.ts'
import type { Body } from '../../src-main/sdk/client.ts'
import { isWithin, type NumberRange } from '../ui/number-range.ts'

/** What stands in the fields of a fault before it is armed, as it was written. */
export type ArmDraft = {
  readonly often: 'times' | 'chance'
  readonly times: string
  readonly chance: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The part of the catalogue that a draft is made from. */
export type Tunable = {
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly smallest?: Readonly<Record<string, unknown>>
  readonly largest?: Readonly<Record<string, unknown>>
}

/** What a field must hold, by the field's name. */
export type Mistakes = Readonly<Record<string, NumberRange>>

const TIMES: NumberRange = { kind: 'whole', least: 1, most: 1000 }
/** In per cent: a fault that never strikes is not armed. */
const CHANCE: NumberRange = { kind: 'part', least: 0.1, most: 100 }

export const draftOf = ({ parameters = {} }: Tunable): ArmDraft => ({
  often: 'times',
  times: '1',
  chance: '50',
  parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
})

const rangesOf = (draft: ArmDraft, { smallest = {}, largest = {} }: Tunable): Mistakes => ({
  ...(draft.often === 'times' ? { times: TIMES } : { chance: CHANCE }),
  ...Object.fromEntries(
    Object.keys(draft.parameters).map((name) => [
      name,
      { kind: 'whole', least: Number(smallest[name] ?? 0), most: Number(largest[name]) },
    ]),
  ),
})

/** What to arm, or each field that cannot be meant. What was left as it is is not sent. */
export const readDraft = (
  draft: ArmDraft,
  fault: Tunable & { readonly name: string },
): Result<Body<'phones.arm'>, Mistakes> => {
  const textOf = (field: string) => draft.parameters[field] ?? (field === 'times' ? draft.times : draft.chance)
  const wrong = Object.entries(rangesOf(draft, fault)).filter(([field, range]) => !isWithin(textOf(field), range))
  if (wrong.length > 0) return err(Object.fromEntries(wrong))
  const changed = Object.entries(draft.parameters).filter(([name, text]) => Number(text) !== fault.parameters?.[name])
  return ok({
    fault: fault.name,
    ...(draft.often === 'times' ? { times: Number(draft.times) } : { probability: Number(draft.chance) / 100 }),
    ...(changed.length === 0
      ? {}
      : { parameters: Object.fromEntries(changed.map(([name, text]) => [name, Number(text)])) }),
  })
}
