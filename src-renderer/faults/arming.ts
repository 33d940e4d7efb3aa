import { err, ok, type Result } from '../../src-main/core/protocol/result.ts'
import { isWithin, type NumberRange } from '../ui/number-range.ts'

export const OFTENS = ['once', 'times', 'always', 'chance'] as const

/** What stands in the fields of a fault before it is armed, as it was written. */
export type ArmDraft = {
  readonly often: (typeof OFTENS)[number]
  readonly times: string
  readonly chance: string
  readonly parameters: Readonly<Record<string, string>>
  /** For whom alone it strikes; empty: for all. */
  readonly user: string
}

/** What can be chosen when a fault is armed. */
export type ArmField =
  | { readonly kind: 'number'; readonly preset: number; readonly range: NumberRange }
  | { readonly kind: 'text'; readonly preset: string; readonly most: number }

export type Tunable = {
  readonly name: string
  readonly fields: Readonly<Record<string, ArmField>>
  /** It can strike for one user alone. */
  readonly scoped?: true
}

/** As the routes that arm want it. */
export type Armed = {
  readonly fault: string
  readonly times?: number
  readonly probability?: number
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly scope?: { readonly user_id: string }
}

/** What a field must hold, by the field's name. */
export type Mistakes = Readonly<Record<string, NumberRange>>

const TIMES: NumberRange = { kind: 'whole', least: 1, most: 1000 }
/** In per cent: a fault that never strikes is not armed. */
const CHANCE: NumberRange = { kind: 'part', least: 0.1, most: 100 }

export const draftOf = ({ fields }: Tunable): ArmDraft => ({
  often: 'once',
  times: '2',
  chance: '50',
  user: '',
  parameters: Object.fromEntries(Object.entries(fields).map(([name, { preset }]) => [name, String(preset)])),
})

const rangesOf = (draft: ArmDraft, { fields }: Tunable): Mistakes => ({
  ...(draft.often === 'times' ? { times: TIMES } : draft.often === 'chance' ? { chance: CHANCE } : {}),
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.kind === 'number' ? [[name, field.range]] : [])),
  ),
})

const oftenOf = ({ often, times, chance }: ArmDraft): Omit<Armed, 'fault' | 'parameters'> => {
  if (often === 'always') return { probability: 1 }
  if (often === 'chance') return { probability: Number(chance) / 100 }
  return { times: often === 'once' ? 1 : Number(times) }
}

/** What to arm, or each field that cannot be meant. What was left as it is is not sent. */
export const readDraft = (draft: ArmDraft, fault: Tunable): Result<Armed, Mistakes> => {
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
