import type { ArmedServiceFault } from '../../src-main/core/contract/control/service-fault-routes.ts'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { decimalNumber, wholeNumber } from './format.ts'
import { texts } from './texts.ts'

type Armed = Pick<ArmedServiceFault, 'left' | 'probability'> &
  Pick<Partial<ControlPhone['faults'][number]>, 'parameters'>

export const armedRestText = (
  { left, probability, parameters = {} }: Armed,
  counted: 'left' | 'answers' = 'left',
): string => {
  const words = texts.phone.armed
  const rest = left === undefined ? words.chance(decimalNumber((probability ?? 1) * 100)) : words[counted](left)
  const changed = Object.entries(parameters).map(([name, value]) => {
    const number = wholeNumber(Number(value))
    return words.parameters[name]?.(number) ?? `${name} ${number}`
  })
  return [rest, ...changed].join(texts.inspector.verdict.comma)
}
