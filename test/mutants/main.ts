/**
 * npm run mutants: puts one mistake after the other into a copy of the project, plays the scenario that must notice it,
 * and writes docs/mutants.md. It fails when a scenario fails without a mistake, when a mistake is not noticed, and when one
 * no longer applies. `npm run mutants -- TEXT` tries those whose description holds the text, and writes nothing.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../support/imports.ts'
import { applyMutant } from './apply-mutant.ts'
import type { Mutant } from './mutant.ts'
import { mutantsPage } from './mutants-page.ts'
import { rpMutants } from './rp-mutants.ts'
import { serviceMutants } from './service-mutants.ts'

const LONGEST_MS = 120_000
const FAILED = 1
const EXAMPLES = 'src-main/scenario/examples'

const copy = mkdtempSync(join(tmpdir(), 'handset-mutants-'))
cpSync(join(ROOT, 'src-main'), join(copy, 'src-main'), { recursive: true })
cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'))
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))

const play = (scenario: string): number | null =>
  spawnSync(process.execPath, ['src-main/bin.mjs', 'run', join(EXAMPLES, scenario)], {
    cwd: copy,
    timeout: LONGEST_MS,
    stdio: 'ignore',
  }).status

const [only = ''] = process.argv.slice(2)
const chosen = (mutants: readonly Mutant[]): readonly Mutant[] => mutants.filter(({ what }) => what.includes(only))

const wrong: string[] = []

const isCaught = (mutant: Mutant): boolean => {
  const undo = applyMutant(copy, mutant)
  try {
    const status = play(mutant.caughtBy)
    console.log(`${status === FAILED ? '✓' : '✗'} ${mutant.what}: ${mutant.caughtBy}`)
    if (status !== FAILED) wrong.push(`"${mutant.what}" is not noticed by ${mutant.caughtBy}: exit code ${status}.`)
    return status === FAILED
  } finally {
    undo()
  }
}

try {
  const all = chosen([...serviceMutants, ...rpMutants])
  for (const scenario of new Set(all.map(({ caughtBy }) => caughtBy))) {
    const status = play(scenario)
    if (status !== 0) wrong.push(`${scenario} fails without a mistake: exit code ${status}.`)
  }
  const text = mutantsPage(chosen(serviceMutants).filter(isCaught), chosen(rpMutants).filter(isCaught))
  if (wrong.length === 0 && only === '') writeFileSync(join(ROOT, 'docs/mutants.md'), text)
} finally {
  rmSync(copy, { recursive: true, force: true })
}
for (const line of wrong) console.error(line)
process.exitCode = wrong.length === 0 ? 0 : 1
