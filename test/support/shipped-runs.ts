import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../../src-main/core/contract/run-report.ts'
import { EXAMPLES, shippedFiles } from './shipped-scenarios.ts'
import { spawnTied } from './spawn-tied.ts'

const ROOT = join(import.meta.dirname, '../..')

const isOwnRp = (file: string): boolean => file.startsWith('your-own-rp/')
const hasPython = spawnSync('python3', ['--version']).status === 0

/** Which of the shipped scenarios: those that need no browser, or of these what no real time and no other program decides. */
export const shipped = {
  all: shippedFiles.filter((file) => !isOwnRp(file) || (hasPython && !/page|picture/.test(file))),
  repeatable: shippedFiles.filter(
    // How often `until` asks is up to real time.
    (file) => !isOwnRp(file) && !/\buntil:/.test(readFileSync(join(EXAMPLES, file), 'utf8')),
  ),
} as const

export type PlayedRun = { readonly code: number | null; readonly report: RunReport }

/** `handset run` as a process of its own that ends with this one, with a report and traces of everything in `out`. */
export const playShipped = async (
  files: readonly string[],
  { out, more }: { readonly out: string; readonly more: readonly string[] },
): Promise<PlayedRun> => {
  const args = [join(ROOT, 'src-main/bin.mjs'), 'run', ...files, '--report', 'json', '--out', out, ...more]
  const child = spawnTied(process.execPath, args, { cwd: EXAMPLES, stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, report: JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) }
}
