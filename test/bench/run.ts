import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { RunReport } from '../../src-main/contract/run-report.ts'
import { isBuilt } from '../../src-main/is-built.mjs'
import { writeScenarios } from '../support/many-scenarios.ts'
import { cpuMs } from './child.ts'
import { number } from './statistics.ts'

/**
 * npm run bench:run: how long a run of 1,000 scenarios takes, reports included. Each registers and signs in; every fifth
 * has a fault, at which the service must refuse the sign-in. `--failing` makes these fail instead: reports of 200 failures.
 */
const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000' }, failing: { type: 'boolean' }, parallel: { type: 'string' } },
})
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'handset-bench-run-'))
const parallel = values.parallel ?? String(4 * availableParallelism())
mkdirSync(join(folder, 'tests'))
writeScenarios(join(folder, 'tests'), { count: Number(values.count), failing: values.failing === true })

const began = performance.now()
const args = ['run', 'tests', '--parallel', parallel, '--report', 'html,junit,json', '--out', 'out']
const child = spawn(process.execPath, [join(root, 'src-main/bin.mjs'), ...args], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
})
let processor: number | undefined
child.stdout.on('data', () => {
  processor = cpuMs(child.pid ?? 0) ?? processor
})
const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
const seconds = (performance.now() - began) / 1000
const report: RunReport = JSON.parse(readFileSync(join(folder, 'out/run.json'), 'utf8'))
const program = isBuilt(root) ? 'built' : 'from source'
const sizes = ['report.html', 'junit.xml', 'run.json'].map(
  (name) => `${name} ${number(statSync(join(folder, 'out', name)).size / 2 ** 20, 1)} MiB`,
)
const { scenarios, counts, took_ms } = report
const told = [
  `${scenarios.length} scenarios (${counts.passed} passed, ${counts.failed} failed), ${program}, --parallel ${parallel}:`,
  `${number(seconds, 1)} s from start to end, of which ${number(took_ms / 1000, 1)} s while they ran;`,
  `${processor === undefined ? '?' : number(processor / scenarios.length, 1)} ms of processor each; ${sizes.join(', ')}; exit code ${code}`,
]
console.log(told.join(' '))
rmSync(folder, { recursive: true, force: true })
