/**
 * `handset suite rp` against RPs that others wrote from docs/interface alone: `npm run foreign-rps -- [--rp NAME]… [--by calls|page]
 * [--mutants] [--parallel N]`. A right RP must not be accused, and at least 80 % of its stories must be tried; each mistake that is put into one must be found.
 */
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readable } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type FaultFinding, TRIED_VERDICTS } from '../../src-main/core/contract/suite-findings.ts'
import { applyMutant, type Edit as Mutation } from '../mutants/apply-mutant.ts'
import { findBrowser } from '../support/browser.mjs'
import { freePort } from '../support/free-port.ts'
import { ROOT } from '../support/imports.ts'
import { FOUND_BY } from './mistakes.ts'

const { values: options } = parseArgs({
  options: {
    rp: { type: 'string', multiple: true },
    by: { type: 'string', default: 'calls' },
    mistake: { type: 'string', multiple: true },
    mutants: { type: 'boolean', default: false },
    parallel: { type: 'string', default: '2' },
    verbose: { type: 'boolean', default: false },
  },
})

type Edit = Omit<Mutation, 'what'>
type Mutant = { readonly mistake: string } & (Edit | { readonly edits: readonly Edit[] })

const HERE = import.meta.dirname
const scratch = fs.mkdtempSync(join(tmpdir(), 'handset-foreign-rps-'))
process.env.HANDSET_BROWSER ??= findBrowser() ?? ''
const stop = new AbortController()
process.on('SIGINT', () => stop.abort())

const names = fs
  .readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && fs.existsSync(join(HERE, entry.name, 'run')))
  .map(({ name }) => name)
  .filter((name) => options.rp === undefined || options.rp.includes(name))

/** A copy of the RP, with one mistake in it, on a port of its own. */
const prepared = async (name: string, by: string, edits: readonly Edit[], build: string): Promise<string> => {
  const folder = join(fs.mkdtempSync(join(scratch, `${name}-`)), name)
  fs.cpSync(join(HERE, name), folder, { recursive: true })
  fs.symlinkSync(join(HERE, 'node_modules'), join(folder, '..', 'node_modules'), 'junction')
  fs.symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const edit of edits) applyMutant(folder, { what: name, ...edit })
  const file = join(folder, `${by}.yaml`)
  const port = String(await freePort())
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('8080', port).replaceAll('RP_BUILD', build))
  return file
}

type Told = FaultFinding & { readonly why?: string }

/** The suite in a process of its own: several run side by side, each with its own folder for what its RP builds. */
const suite = async (file: string, build: string, args: readonly string[]) => {
  fs.mkdirSync(build, { recursive: true })
  const began = Date.now()
  const child = spawn(
    process.execPath,
    [join(ROOT, 'src-main/cli.ts'), 'suite', 'rp', '--config', file, '--json', ...args],
    {
      env: { ...process.env, RP_BUILD: build, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: stop.signal,
    },
  )
  const [out, errors] = await Promise.all([readable(child.stdout), readable(child.stderr)])
  const findings: readonly Told[] = out === '' ? [] : JSON.parse(out).findings
  const said = errors.split('\n').filter((line) => line !== '' && !/stories played$/.test(line))
  return { findings, errors: said, seconds: (Date.now() - began) / 1000 }
}

const short = ({ fault, story, verdict, behaviour, why = '' }: Told): string =>
  `    ${verdict} ${fault}, ${story}: ${why.replace(/\s+/g, ' ').slice(0, 3000)}${behaviour === undefined ? '' : ` ${JSON.stringify(behaviour)}`}`

let [passed, failed] = [0, 0]
const tell = (good: boolean, line: string): void => {
  if (good) passed += 1
  else failed += 1
  console.log(`${good ? 'ok  ' : 'FAIL'} ${line}`)
}

type Task = () => Promise<void>

/** An RP as it is: right. */
const holdsRight =
  (name: string): Task =>
  async () => {
    const build = join(scratch, 'build', name)
    const { findings, errors, seconds } = await suite(await prepared(name, options.by, [], build), build, [])
    const accused = findings.filter(({ verdict }) => verdict === 'let_in' || verdict === 'broke')
    const tried = findings.filter(({ verdict }) => TRIED_VERDICTS.has(verdict))
    const share = Math.round((100 * tried.length) / Math.max(1, findings.length))
    const good = accused.length === 0 && share >= 80
    tell(
      good,
      `${name} by ${options.by}: ${accused.length} accused, tried ${tried.length} of ${findings.length} (${share} %), ${seconds.toFixed(0)} s ${errors.join(' ').slice(0, 600)}`,
    )
    if (!good || options.verbose)
      for (const finding of findings.filter(({ verdict }) => verdict !== 'held')) console.log(short(finding))
  }

/** An RP with one mistake in it: wrong, and found out by what is about it. */
const findsMistake =
  (name: string, mutant: Mutant): Task =>
  async () => {
    const { mistake } = mutant
    const { trials, by = options.by } = FOUND_BY[mistake] ?? { trials: [] }
    const edits = 'edits' in mutant ? mutant.edits : [mutant]
    const build = join(scratch, 'build', `${name}-${mistake}`)
    const args = trials.flatMap((trial) => ['--fault', trial])
    const { findings, errors, seconds } = await suite(await prepared(name, by, edits, build), build, args)
    const found = findings.filter(({ verdict }) => verdict === 'let_in' || verdict === 'broke')
    const how = [...new Set(found.map(({ fault, verdict }) => `${fault} ${verdict}`))].join(', ')
    tell(
      found.length > 0,
      `${name}, ${mistake}: ${how || 'not found'} ${seconds.toFixed(0)} s ${found.length > 0 ? '' : errors.join(' ').slice(0, 400)}`,
    )
    if (found.length === 0 || options.verbose) for (const finding of findings) console.log(short(finding))
    fs.rmSync(build, { recursive: true, force: true })
  }

const mutantsOf = (name: string): readonly Mutant[] => {
  const list = join(HERE, name, 'mutants.json')
  if (!fs.existsSync(list)) return []
  const all: readonly Mutant[] = JSON.parse(fs.readFileSync(list, 'utf8'))
  return all.filter(({ mistake }) => options.mistake === undefined || options.mistake.includes(mistake))
}

const tasks: Task[] = options.mutants
  ? names.flatMap((name) => mutantsOf(name).map((mutant) => findsMistake(name, mutant)))
  : names.filter((name) => fs.existsSync(join(HERE, name, `${options.by}.yaml`))).map(holdsRight)

const works = async (): Promise<void> => {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    try {
      await task()
    } catch (error) {
      tell(false, String(error))
    }
  }
}

await Promise.all(Array.from({ length: Number(options.parallel) }, works))
fs.rmSync(scratch, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
