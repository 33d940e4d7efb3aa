/**
 * `handset suite rp` against RPs that others wrote from docs/interface alone: `npm run foreign-rps -- [--rp NAME]… [--by calls|page]
 * [--mutants]`. A right RP must not be accused, and at least 80 % of its stories must be tried; each mistake that is put into one must be found.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { main } from '../../src-main/cli/main.ts'
import { type FaultFinding, TRIED } from '../../src-main/contract/suite-findings.ts'
import { findBrowser } from '../support/browser.mjs'
import { freePort } from '../support/free-port.ts'
import { heardTerminal } from '../support/heard-terminal.ts'
import { ROOT } from '../support/imports.ts'
import { FOUND_BY } from './mistakes.ts'

const { values: options } = parseArgs({
  options: {
    rp: { type: 'string', multiple: true },
    by: { type: 'string', default: 'calls' },
    mistake: { type: 'string', multiple: true },
    mutants: { type: 'boolean', default: false },
    parallel: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})

type Edit = { readonly file: string; readonly find: string; readonly replace: string }
type Mutant = { readonly mistake: string } & (Edit | { readonly edits: readonly Edit[] })

const HERE = import.meta.dirname
const scratch = mkdtempSync(join(tmpdir(), 'handset-foreign-rps-'))
process.env.HANDSET_BROWSER ??= findBrowser() ?? ''
const stop = new AbortController()
process.on('SIGINT', () => stop.abort())

const names = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(HERE, entry.name, 'run')))
  .map(({ name }) => name)
  .filter((name) => options.rp === undefined || options.rp.includes(name))

/** A copy of the RP, with one mistake in it, on a port of its own. */
const prepared = async (name: string, by: string, edits: readonly Edit[], build: string): Promise<string> => {
  const folder = join(mkdtempSync(join(scratch, `${name}-`)), name)
  cpSync(join(HERE, name), folder, { recursive: true })
  symlinkSync(join(HERE, 'node_modules'), join(folder, '..', 'node_modules'), 'junction')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const { file, find, replace } of edits) {
    const path = join(folder, file)
    const source = readFileSync(path, 'utf8')
    if (source.split(find).length !== 2)
      throw new Error(`${name}/${file} has this ${source.split(find).length - 1} times: ${find}`)
    writeFileSync(
      path,
      source.replace(find, () => replace),
    )
  }
  const file = join(folder, `${by}.yaml`)
  const port = String(await freePort())
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('8080', port).replaceAll('RP_BUILD', build))
  return file
}

const suite = async (file: string, build: string, args: readonly string[]) => {
  mkdirSync(build, { recursive: true })
  process.env.RP_BUILD = build
  const { terminal, out, errors } = heardTerminal()
  const environment = {
    terminal,
    version: '0',
    root: ROOT,
    env: {},
    platform: process.platform,
    stop: stop.signal,
  } as const
  const began = Date.now()
  const code = await main(['suite', 'rp', '--config', file, '--json', ...args], environment)
  const findings: readonly (FaultFinding & { readonly why?: string })[] =
    out.length === 0 ? [] : JSON.parse(out.join('')).findings
  const said = errors.filter((line) => !/stories played$/.test(line))
  return { code, findings, errors: said, seconds: (Date.now() - began) / 1000 }
}

const short = ({ fault, story, verdict, why = '' }: FaultFinding & { readonly why?: string }): string =>
  `    ${verdict} ${fault}, ${story}: ${why.replace(/\s+/g, ' ').slice(0, 200)}`

let [passed, failed] = [0, 0]
const tell = (good: boolean, line: string): void => {
  if (good) passed += 1
  else failed += 1
  console.log(`${good ? 'ok  ' : 'FAIL'} ${line}`)
}

/** Each RP as it is: right. */
const holdRight = async (): Promise<void> => {
  for (const name of names) {
    if (!existsSync(join(HERE, name, `${options.by}.yaml`))) continue
    const build = join(scratch, 'build', name)
    const { findings, errors, seconds } = await suite(await prepared(name, options.by, [], build), build, [])
    const accused = findings.filter(({ verdict }) => verdict === 'let_in' || verdict === 'broke')
    const offered = findings.filter(({ reason }) => reason?.code !== 'not_offered')
    const tried = findings.filter(({ verdict }) => TRIED.has(verdict))
    const share = Math.round((100 * tried.length) / Math.max(1, findings.length))
    const good = accused.length === 0 && share >= 80
    tell(
      good,
      `${name} by ${options.by}: ${accused.length} accused, tried ${tried.length} of ${findings.length} (${share} %), ${offered.length} offered, ${seconds.toFixed(0)} s ${errors.join(' ').slice(0, 600)}`,
    )
    if (!good || options.verbose)
      for (const finding of findings.filter(({ verdict }) => verdict !== 'held')) console.log(short(finding))
  }
}

/** Each RP with one mistake in it: wrong, and found out by what is about it. */
const findMistakes = async (): Promise<void> => {
  for (const name of names) {
    const list = join(HERE, name, 'mutants.json')
    if (!existsSync(list)) continue
    for (const mutant of JSON.parse(readFileSync(list, 'utf8')) as readonly Mutant[]) {
      const { mistake } = mutant
      if (options.mistake !== undefined && !options.mistake.includes(mistake)) continue
      const { trials, by = 'calls' } = FOUND_BY[mistake] ?? { trials: [] }
      const edits = 'edits' in mutant ? mutant.edits : [mutant]
      const build = join(scratch, 'build', `${name}-${mistake}`)
      try {
        const args = trials.flatMap((trial) => ['--fault', trial])
        const { findings, errors, seconds } = await suite(await prepared(name, by, edits, build), build, args)
        const found = findings.filter(({ verdict }) => verdict === 'let_in' || verdict === 'broke')
        const how = [...new Set(found.map(({ fault, verdict }) => `${fault} ${verdict}`))].join(', ')
        tell(
          found.length > 0,
          `${name}, ${mistake}: ${how || 'not found'} ${seconds.toFixed(0)} s ${found.length > 0 ? '' : errors.join(' ').slice(0, 400)}`,
        )
        if (found.length === 0 || options.verbose) for (const finding of findings) console.log(short(finding))
      } catch (error) {
        tell(false, `${name}, ${mistake}: ${String(error)}`)
      }
      rmSync(build, { recursive: true, force: true })
    }
  }
}

await (options.mutants ? findMistakes() : holdRight())
rmSync(scratch, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
