import type { Scenario, Step } from './parse/scenario.ts'
import type { ScenarioState } from './scenario-state.ts'
import { ScenarioMistake } from './step-outcome.ts'
import { fillIn, headOf, type Lookup, partOf } from './variables.ts'

/** What a step's variables are: those of the includes around it, of the scenario, what was saved, and what every scenario has. */
export const findVariable = (
  scenario: Pick<Scenario, 'vars'>,
  { scopes }: Pick<Step, 'scopes'>,
  state: ScenarioState,
): Lookup => {
  const inScope = (reference: string, depth: number): unknown => {
    const head = headOf(reference)
    for (let i = depth - 1; i >= 0; i--) {
      const scope = scopes[i]
      if (scope === undefined || !Object.hasOwn(scope, head)) continue
      return partOf(
        fillIn(scope[head], (inner) => inScope(inner, i)),
        restOf(reference),
      )
    }
    return own(reference)
  }
  const own = (reference: string): unknown => {
    const head = headOf(reference)
    const all = new Map<string, unknown>([...Object.entries(scenario.vars), ...state.saved, ...ownVariables(state)])
    const value = partOf(all.get(head), restOf(reference))
    if (value !== undefined) return value
    throw new ScenarioMistake({ code: 'no_value', params: { reference, known: [...all.keys()] } })
  }
  return (reference) => {
    const value = inScope(reference, scopes.length)
    if (value !== undefined) return value
    throw new ScenarioMistake({ code: 'no_value', params: { reference, known: [...scopes.flatMap(Object.keys)] } })
  }
}

const restOf = (reference: string): readonly string[] => reference.split('.').slice(1)

/** What every scenario has without naming it. */
const ownVariables = ({ handset, rps, phones, messages }: ScenarioState): readonly (readonly [string, unknown])[] => [
  ['handset', handset],
  ['rp', rps.get('')],
  ['rps', Object.fromEntries(rps)],
  ['phones', Object.fromEntries(phones)],
  ['messages', Object.fromEntries(messages)],
]
