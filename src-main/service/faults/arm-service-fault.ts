import type { ArmedServiceFault, NewServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import { type Expected, type Refusal, refuse, refuseField, unfit } from '../../core/contract/errors.ts'
import { type FaultParameter, MAX_ARMED, serviceFaultOf } from '../../core/contract/service-faults.ts'
import { toHex } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'

const expectedOf = (parameter: FaultParameter): Expected =>
  parameter.kind === 'text'
    ? { code: 'characters_at_most', params: { count: parameter.most } }
    : { code: 'whole_number', params: { least: parameter.least, most: parameter.most } }

const isFit = (parameter: FaultParameter, value: unknown): boolean =>
  parameter.kind === 'text'
    ? typeof value === 'string' && value.isWellFormed() && [...value].length <= parameter.most
    : Number.isInteger(value) && Number(value) >= parameter.least && Number(value) <= parameter.most

/** Checks beyond the schema: members must suit this fault and each other. */
const problemOf = ({ fault, times, probability, parameters = {}, only = [] }: NewServiceFault): Refusal | undefined => {
  const { on, parameters: own = {} } = serviceFaultOf(fault)
  if (times !== undefined && probability !== undefined) {
    return refuseField({ code: 'field_contradicts', params: { field: 'probability' } })
  }
  const foreign = only.findIndex((operation) => !on.includes(operation))
  if (foreign >= 0) {
    return refuseField(unfit(`only[${foreign}]`, { code: 'one_of', params: { values: on } }, only[foreign]))
  }
  for (const [name, value] of Object.entries(parameters)) {
    const field = `parameters.${name}`
    const parameter = Object.hasOwn(own, name) ? own[name] : undefined
    if (parameter === undefined)
      return refuseField({ code: 'field_unknown', params: { field, known: Object.keys(own) } })
    if (!isFit(parameter, value)) return refuseField(unfit(field, expectedOf(parameter), value))
  }
  return undefined
}

export const findArmRefusal = (armed: readonly ArmedServiceFault[], wanted: NewServiceFault): Refusal | undefined =>
  problemOf(wanted) ??
  (armed.length < MAX_ARMED
    ? undefined
    : refuse('wrong_state', { code: 'faults_armed_at_most', params: { count: MAX_ARMED } }))

export const toArmedFault = (
  { fault, times = 1, probability, parameters, only = [], scope }: NewServiceFault,
  random: RandomSource,
): ArmedServiceFault => ({
  id: `flt_${toHex(random.bytes(6))}`,
  fault,
  ...(probability === undefined ? { left: times } : { probability }),
  ...(parameters === undefined ? {} : { parameters }),
  only,
  ...(scope === undefined ? {} : { scope }),
})

/** Disarms one fault, or all. */
export const removeArmed = (armed: readonly ArmedServiceFault[], id: string | undefined) => {
  const left = armed.filter((each) => id !== undefined && each.id !== id)
  return { left, gone: armed.filter((each) => !left.includes(each)) }
}

/** Counts down the triggered faults. */
export const countDownFaults = (
  armed: readonly ArmedServiceFault[],
  triggered: readonly ArmedServiceFault[],
): readonly ArmedServiceFault[] =>
  armed.flatMap((each) => {
    if (each.left === undefined || !triggered.includes(each)) return [each]
    return each.left > 1 ? [{ ...each, left: each.left - 1 }] : []
  })
