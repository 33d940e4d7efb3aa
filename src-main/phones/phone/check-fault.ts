import type { FieldProblem } from '../../core/contract/reasons.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import {
  LARGEST_PARAMETERS,
  type PhoneActionParameters,
  SMALLEST_PARAMETERS,
} from '../authenticator/faults/phone-actions.ts'
import { FAULTS, type Fault, isFaultName } from '../authenticator/faults.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import type { NewFault } from './phones-interface.ts'

type ParameterName = keyof PhoneActionParameters

const isParameterName = (key: string): key is ParameterName => Object.hasOwn(LARGEST_PARAMETERS, key)

const isParameter = ([key, value]: readonly [string, unknown]): boolean =>
  isParameterName(key) &&
  Number.isInteger(value) &&
  Number(value) >= SMALLEST_PARAMETERS[key] &&
  Number(value) <= LARGEST_PARAMETERS[key]

const wrongParameter = ([key, value]: readonly [string, unknown]): FieldProblem => {
  if (!isParameterName(key)) {
    return { code: 'field_unknown', params: { field: key, known: Object.keys(LARGEST_PARAMETERS) } }
  }
  const range = { least: SMALLEST_PARAMETERS[key], most: LARGEST_PARAMETERS[key] }
  const expected = { code: 'whole_number', params: range } as const
  return { code: 'field_unfit', params: { field: key, expected, got: JSON.stringify(value) } }
}

export const faultNamed = (name: string): Fault | undefined => (isFaultName(name) ? FAULTS[name] : undefined)

/** Checks a fault before it is armed. */
export const checkFault = ({ fault, times, probability, parameters = {} }: NewFault): Result<void, PhoneRefusal> => {
  if (faultNamed(fault) === undefined)
    return err(refusePhone('no_such_fault', { reason: { code: 'got', params: { got: fault } } }))
  const timesFit = times === undefined || (Number.isInteger(times) && times >= 1 && times <= 1000)
  const probabilityFits = probability === undefined || (probability > 0 && probability <= 1)
  if (!timesFit || !probabilityFits || (times !== undefined && probability !== undefined)) {
    return err(refusePhone('invalid_fault'))
  }
  const wrong = Object.entries(parameters).find((entry) => !isParameter(entry))
  return wrong === undefined ? ok(undefined) : err(refusePhone('invalid_fault', { reason: wrongParameter(wrong) }))
}
