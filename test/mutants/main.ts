/**
 * npm run mutants: puts one mistake after the other into a copy of the project, plays the scenario that must notice it,
 * and prints both. It fails when a scenario fails without a mistake, when a mistake is not noticed, and when one
 * no longer applies. `npm run mutants -- TEXT` tries those whose description holds the text.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../support/imports.ts'
import { applyMutant } from './apply-mutant.ts'
import type { Mutant } from './mutant.ts'
import { rpMutants } from './rp-mutants.ts'
import { serviceMutants } from './service-mutants.ts'

const LONGEST_MS = 120_000
const FAILED = 1
const EXAMPLES = 'src-main/testing/scenario/examples'
/** Each in a copy of its own. */
const AT_ONCE = 2

const makeCopy = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'handset-mutants-'))
  cpSync(join(ROOT, 'src-main'), join(copy, 'src-main'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
  return copy
}

const play = (copy: string, scenarios: Iterable<string>, ...options: readonly string[]): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const files = [...scenarios].map((scenario) => join(EXAMPLES, scenario))
    const args = ['src-main/bin.mjs', 'run', ...options, ...files]
    const played = spawn(process.execPath, args, { cwd: copy, timeout: LONGEST_MS, stdio: 'ignore' })
    played.once('error', reject)
    played.once('exit', resolve)
  })

const [only = ''] = process.argv.slice(2)
const chosen = (mutants: readonly Mutant[]): readonly Mutant[] => mutants.filter(({ what }) => what.includes(only))

const wrong: string[] = []

const tryMutant = async (copy: string, mutant: Mutant): Promise<void> => {
  const undo = applyMutant(copy, mutant)
  try {
    const status = await play(copy, [mutant.caughtBy])
    console.log(`${status === FAILED ? '✓' : '✗'} ${mutant.what}: ${mutant.caughtBy}`)
    if (status !== FAILED) wrong.push(`"${mutant.what}" is not noticed by ${mutant.caughtBy}: exit code ${status}.`)
  } finally {
    undo()
  }
}

const all = chosen([...serviceMutants, ...rpMutants])
const copies = Array.from({ length: AT_ONCE }, makeCopy)
try {
  const scenarios = new Set(all.map(({ caughtBy }) => caughtBy))
  const sound = await play(copies[0] ?? '', scenarios, '--parallel', String(AT_ONCE))
  if (sound !== 0)
    wrong.push(`A scenario fails without a mistake: exit code ${sound}. Run them: handset run ${EXAMPLES}`)
  const left = [...all]
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) await tryMutant(copy, mutant)
    }),
  )
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
}
for (const line of wrong) console.error(line)
process.exitCode = wrong.length === 0 ? 0 : 1
