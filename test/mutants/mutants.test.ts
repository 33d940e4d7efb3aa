import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../support/imports.ts'
import { EXAMPLES } from '../support/shipped-scenarios.ts'
import { mutated } from './apply-mutant.ts'
import { rpMutants } from './rp-mutants.ts'
import { serviceMutants } from './service-mutants.ts'

it.each([...serviceMutants, ...rpMutants])('the mutant "$what" applies, and names a shipped scenario', (mutant) => {
  const text = readFileSync(join(ROOT, mutant.file), 'utf8')
  expect(mutated(text, mutant)).not.toBe(text)
  expect(existsSync(join(EXAMPLES, mutant.caughtBy))).toBe(true)
})

it('a mutant whose place is gone, or there twice, is refused', () => {
  const [mutant] = rpMutants
  if (mutant === undefined) throw new Error('there is no mutant')
  expect(() => mutated('', mutant)).toThrow('no longer applies')
  expect(() => mutated(mutant.find + mutant.find, mutant)).toThrow('no longer applies')
})
