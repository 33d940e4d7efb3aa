import type { Scenario } from '../../src-main/testing/scenario/parse/scenario.ts'
import { parseScenarios } from '../../src-main/testing/scenario/parse-scenario.ts'
import { taken } from './taken.ts'

/** The one scenario that a text is. */
export const parseOne = (text: string): Scenario => {
  const [scenario, ...others] = taken(parseScenarios(text))
  if (scenario === undefined || others.length > 0) throw new Error(`${others.length + 1} scenarios`)
  return scenario
}
