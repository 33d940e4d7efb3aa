import { type FieldProblem, unfit, withinField } from '../../../core/contract/errors.ts'
import { FAULT_NAMES } from '../../../core/contract/faults.ts'
import { profilePart } from '../../../core/contract/profile-schema.ts'
import { fileSchema } from '../../../core/contract/scenario/parts.ts'
import type { NamedKind, StepProblemParams } from '../../../core/contract/scenario/problems.ts'
import type { StepWord } from '../../../core/contract/scenario.ts'
import type { JsonSchema } from '../../../core/contract/schema.ts'
import { findProblems } from '../../../core/contract/validate.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { findNearest } from '../../../core/protocol/nearest.ts'

export type Names = Readonly<Record<NamedKind, Set<string>>>

/** The names before the first step. */
export const newNames = (phones: Iterable<string>, rps: Iterable<string>): Names => ({
  ...{ phone: new Set(phones), rp: new Set(rps), mark: new Set(['start']) },
  ...{ message: new Set(), snapshot: new Set(), program: new Set(), variable: new Set() },
})

/** The kind of thing that a word's `as` names. */
const DEFINES: Partial<Readonly<Record<StepWord, NamedKind>>> = {
  register: 'message',
  sign_in: 'message',
  new_phone: 'phone',
  snapshot: 'snapshot',
  mark: 'mark',
  exec: 'program',
  free_port: 'variable',
}

const USES: Readonly<Record<string, NamedKind>> = {
  phone: 'phone',
  same_account_as: 'phone',
  message: 'message',
  rp: 'rp',
  snapshot: 'snapshot',
  since: 'mark',
  program: 'program',
}

type Fields = Readonly<Record<string, unknown>>

type Use = readonly [kind: NamedKind, name: unknown, field: string]

const usesOf = (word: StepWord, input: Fields): readonly Use[] => {
  if (word === 'wait' || word === 'no_event' || word === 'exec') return []
  if (word === 'expect_phone') return [['phone', input.phone, 'phone']]
  if (word === 'browser') return [['phone', input.scan, 'scan']]
  const uses = Object.entries(input).flatMap(([field, name]) => {
    const kind = Object.hasOwn(USES, field) ? USES[field] : undefined
    return kind === undefined ? [] : [[kind, name, field] as const]
  })
  return (word === 'end_program' || word === 'expect_output') && input.program === undefined
    ? [...uses, ['program', 'program', '']]
    : uses
}

export type UnknownName = { readonly field: string; readonly problem: StepProblemParams['unknown_name'] }

/** A name with a variable in it is known only when the step runs. */
export const unknownName = (word: StepWord, input: Fields, names: Names): UnknownName | undefined => {
  for (const [kind, name, field] of usesOf(word, input)) {
    if (typeof name !== 'string' || name.includes('${') || names[kind].has(name)) continue
    return { field, problem: { kind, name, known: [...names[kind]] } }
  }
  return undefined
}

export const defineNames = (word: StepWord, input: Fields, names: Names): void => {
  const kind = DEFINES[word]
  const name = input.as ?? (word === 'exec' ? 'program' : undefined)
  if (kind !== undefined && typeof name === 'string') names[kind].add(name)
}

const faultProblem = (name: unknown): FieldProblem | undefined => {
  if (typeof name !== 'string' || name.includes('${')) return undefined
  if ((FAULT_NAMES as readonly string[]).includes(name)) return undefined
  const near = findNearest(name, FAULT_NAMES)
  const expected = { code: 'phone_fault', params: near === undefined ? {} : { near } } as const
  return unfit('fault', expected, name)
}

/** Schema of a profile in which variables may replace values. */
const settings = fileSchema(profilePart as JsonSchema)

export const profileProblems = (profile: unknown): readonly FieldProblem[] => findProblems(profile, settings)

/** Finds a name in a step that Handset does not know; steps that must be `refused` may use any name. */
export const nameProblem = (word: StepWord, input: unknown): FieldProblem | undefined => {
  if (!isObject(input)) return undefined
  if (word === 'profile') return profileProblems(input)[0]
  if (word === 'arm' || word === 'disarm') return faultProblem(input.fault)
  if (word !== 'control' || input.call !== 'phones.arm' || !isObject(input.body)) return undefined
  return withinField('body', faultProblem(input.body.fault))
}
