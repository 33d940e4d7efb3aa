import { err, ok, type Result } from '../../src-main/core/protocol/result.ts'
import { isWithin, type NumberRange } from '../ui/number-range.ts'

export const OFTENS = ['once', 'times', 'always', 'chance'] as const

/** The fields of a fault before it is armed, as they were written. */
export type ArmDraft = {
  readonly often: (typeof OFTENS)[number]
  readonly times: string
  readonly chance: string
  readonly parameters: Readonly<Record<string, string>>
  /** The only user for whom it is triggered; empty: all. */
  readonly user: string
}

/** A field to fill in when a fault is armed. */
export type ArmField =
  | { readonly kind: 'number'; readonly preset: number; readonly range: NumberRange }
  | { readonly kind: 'text'; readonly preset: string; readonly most: number }

export type Tunable = {
  readonly name: string
  readonly fields: Readonly<Record<string, ArmField>>
  /** It can be triggered for one user alone. */
  readonly scoped?: true
}

/** The form that the routes for arming take. */
export type Armed = {
  readonly fault: string
  readonly times?: number
  readonly probability?: number
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly scope?: { readonly user_id: string }
}

/** The allowed values, by the field's name. */
export type Mistakes = Readonly<Record<string, NumberRange>>

const TIMES: NumberRange = { kind: 'whole', least: 1, most: 1000 }
/** In per cent: a fault that is never triggered is not armed. */
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

/** The fault to arm, or each invalid field. Unchanged fields are not sent. */
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
