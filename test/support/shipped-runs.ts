import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../../src-main/contract/run-report.ts'
import { EXAMPLES, shippedFiles } from './shipped-scenarios.ts'
import { spawnTied } from './spawn-tied.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The shipped scenarios of which no real time and no other program decides: how often `until` asks is up to real time. */
export const repeatable = shippedFiles.filter(
  (file) => !file.startsWith('your-own-rp/') && !/\buntil:/.test(readFileSync(join(EXAMPLES, file), 'utf8')),
)

/** `handset run` as a process of its own that ends with this one, with a report and traces of everything in `out`. */
export const playShipped = async (
  files: readonly string[],
  { out, more }: { readonly out: string; readonly more: readonly string[] },
): Promise<RunReport> => {
  const args = [join(ROOT, 'src-main/bin.mjs'), 'run', ...files, '--report', 'json', '--out', out, ...more]
  const child = spawnTied(process.execPath, args, { cwd: EXAMPLES, stdio: ['ignore', 'ignore', 'inherit'] })
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
}
