import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatScenarioId, parseScenarioId, scenarioSeed } from '../../../src-main/scenario/runner/scenario-id.ts'

const file = fc.string({ minLength: 1 }).filter((text) => !/[\n\r#\u2028\u2029]/.test(text))

test('an ID is read as it was written, whatever the file and the case are called', () => {
  fc.assert(
    fc.property(
      fc.record({ file, case: fc.string({ unit: 'grapheme' }), seed: fc.maxSafeNat(), clockStands: fc.boolean() }),
      (id) => {
        expect(parseScenarioId(formatScenarioId(id))).toEqual({ ok: true, value: id })
      },
    ),
  )
})

test.each(['', 'login.yaml', 'login.yaml@', '@12', 'login.yaml@x', 'login.yaml@99999999999999999'])(
  '%j is no ID',
  (text) => {
    expect(parseScenarioId(text)).toEqual({ ok: false, error: { code: 'not_scenario_id', params: { text } } })
  },
)

test('an ID with broken escapes is refused as such', () => {
  const error = { code: 'broken_escapes', params: { text: 'a.yaml#%@1' } }
  expect(parseScenarioId('a.yaml#%@1')).toEqual({ ok: false, error })
})

test('the seed of a scenario depends on the run, the file, the case and the round, each by itself', () => {
  const parts = { run: 1, file: 'a.yaml', case: undefined, round: 0 }
  const seeds = [
    parts,
    { ...parts, run: 2 },
    { ...parts, file: 'b.yaml' },
    { ...parts, case: 'x' },
    { ...parts, round: 1 },
  ]
  expect(new Set(seeds.map(scenarioSeed)).size).toBe(seeds.length)
  expect(scenarioSeed(parts)).toBe(scenarioSeed({ ...parts }))
})
