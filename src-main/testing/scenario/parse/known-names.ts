import { FAULT_NAMES } from '../../../core/contract/faults.ts'
import { profilePart } from '../../../core/contract/profile-schema.ts'
import { type FieldProblem, within } from '../../../core/contract/reasons.ts'
import { inFile } from '../../../core/contract/scenario/parts.ts'
import type { StepWord } from '../../../core/contract/scenario.ts'
import { findProblem } from '../../../core/contract/validate.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { nearest } from '../../../core/protocol/nearest.ts'

const faultProblem = (name: unknown): FieldProblem | undefined => {
  if (typeof name !== 'string' || name.includes('${')) return undefined
  if ((FAULT_NAMES as readonly string[]).includes(name)) return undefined
  const near = nearest(name, FAULT_NAMES)
  const expected = { code: 'phone_fault', params: near === undefined ? {} : { near } } as const
  return { code: 'field_unfit', params: { field: 'fault', expected, got: JSON.stringify(name) } }
}

/** Made once: a variable may stand in the place of a value. */
const settings = inFile(profilePart)

/** What is wrong with settings of the profile, in the head or in a step. */
export const profileProblem = (profile: unknown): FieldProblem | undefined => findProblem(profile, settings)

/** A name that a step uses and Handset does not have; steps that must be `refused` may use any. */
export const nameProblem = (word: StepWord, input: unknown): FieldProblem | undefined => {
  if (!isObject(input)) return undefined
  if (word === 'profile') return profileProblem(input)
  if (word === 'arm' || word === 'disarm') return faultProblem(input.fault)
  if (word !== 'control' || input.call !== 'phones.arm' || !isObject(input.body)) return undefined
  const problem = faultProblem(input.body.fault)
  return problem && within('body', problem)
}
