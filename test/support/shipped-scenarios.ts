import { globSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Scenario } from '../../src-main/testing/scenario/parse/scenario.ts'
import { loadScenarios } from '../../src-main/testing/scenario/runner/read-scenarios.ts'
import { taken } from './taken.ts'

export const EXAMPLES = join(import.meta.dirname, '../../src-main/testing/scenario/examples')

/** The files that ship, without those that others include. */
export const shippedFiles = globSync('**/*.yaml', { cwd: EXAMPLES })
  .map((file) => file.replaceAll(sep, '/'))
  .filter((file) => !file.endsWith('.steps.yaml'))
  .toSorted()

export const shippedScenarios = (file: string): readonly Scenario[] => taken(loadScenarios(join(EXAMPLES, file)))
