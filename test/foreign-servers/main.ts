/**
 * `handset check --webauthn` against small servers over libraries of other makers: `npm run foreign-servers -- [--server NAME]…
 * [--write] [--mutants] [--mutant WHAT]…`. Their verdicts are kept in verdicts.json, so that a change of one is seen; `--write` makes
 * that file and docs/webauthn-servers.md anew. Each mutant, a check taken out of a library, must be caught by the case that it names.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import { CHECK_VERDICTS, type CheckVerdict } from '../../src-main/core/contract/check-report.ts'
import { POLICIES } from '../../src-main/core/contract/webauthn-server.ts'
import { WEBAUTHN_CASES, type WebauthnCase } from '../../src-main/testing/check/webauthn/cases.ts'
import { checkWebauthn } from '../../src-main/testing/check/webauthn/run.ts'
import { applyMutant, type Edit } from '../mutants/apply-mutant.ts'
import { ROOT } from '../support/imports.ts'
import { begin } from '../support/spawn-tied.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', multiple: true },
    mutant: { type: 'string', multiple: true },
    mutants: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

const HERE = import.meta.dirname
const scratch = mkdtempSync(join(tmpdir(), 'handset-foreign-servers-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

type Command = readonly [string, ...string[]]
type Server = {
  readonly library: string
  readonly version: Command
  readonly date: string
  readonly start: Command
  /** Packages of Debian. */
  readonly needs: readonly string[]
  readonly glue: string
  /** Why it refuses an honest answer now and then: its verdicts are those of most of several rounds. */
  readonly chance?: string
  /** The library's code, and where a mutant's copy of it stands, as the server sees it. */
  readonly code?: { readonly from: string; readonly to: string }
}

const read = <T>(file: string): T => JSON.parse(readFileSync(join(HERE, file), 'utf8'))
const SERVERS: Readonly<Record<string, Server>> = read('servers.json')
const ROUNDS = 7

/** Those that are not PASSED, by case. */
type Verdicts = Readonly<Record<string, CheckVerdict>>
type Kept = Readonly<Record<string, { readonly version: string; readonly verdicts: Verdicts }>>

const kept: Kept = existsSync(join(HERE, 'verdicts.json')) ? read('verdicts.json') : {}

const missing = ({ needs }: Server): readonly string[] =>
  needs.filter((name) => !spawnSync('dpkg-query', ['-s', name]).stdout?.includes('Status: install ok installed'))

const here = ([program, ...args]: Command): Command => [program === 'node' ? process.execPath : program, ...args]

const versionOf = ({ version }: Server): string => {
  const [program, ...args] = here(version)
  return spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' }).stdout?.trim() ?? ''
}

type Found = { readonly case: WebauthnCase; readonly verdict: CheckVerdict; readonly text: string }

/** With all policies, so that the table shows who has them; but who has not breaks no rule. */
const played = async (url: string, cases: readonly WebauthnCase[]): Promise<readonly Found[]> => {
  const results = await checkWebauthn({
    ...{ target: { url }, cases, policies: new Set(POLICIES), parallel: 4, now: Date.now },
    random: createRandom().stream('check', 'check', 'check'),
    signal: new AbortController().signal,
    onResult: () => undefined,
  })
  return results.map(({ case: each, finding: { verdict, text = '' } }) => ({
    ...{ case: each, text },
    verdict: each.policy !== undefined && verdict === 'failed' ? 'warning' : verdict,
  }))
}

/** Starts a server in a folder, for as long as `use` takes. */
const served = async <T>({ start }: Server, cwd: string, use: (url: string) => Promise<T>): Promise<T> => {
  const env = { ...process.env, TMPDIR: scratch, PYTHONPATH: join(cwd, 'python'), PYTHONDONTWRITEBYTECODE: '1' }
  const { ready, kill } = begin(here(start), { cwd, env })
  try {
    return await use((await ready).url ?? '')
  } finally {
    await kill()
  }
}

/** The whole of its verdicts; if chance has a part in them, those of most rounds. */
const verdictsOf = async (server: Server): Promise<readonly Found[]> =>
  served(server, ROOT, async (url) => {
    const rounds: (readonly Found[])[] = []
    while (rounds.length < (server.chance === undefined ? 1 : ROUNDS)) rounds.push(await played(url, WEBAUTHN_CASES))
    return WEBAUTHN_CASES.flatMap((_, n) => {
      const found = rounds.flatMap((round) => round[n] ?? [])
      const times = ({ verdict }: Found): number => found.filter((each) => each.verdict === verdict).length
      return found.toSorted((a, b) => times(b) - times(a)).slice(0, 1)
    })
  })

const FIRST = 'a-registration-and-a-sign-in-are-accepted'

/** What is wrong with a server's verdicts, one line each. */
const complaints = (name: string, version: string, found: readonly Found[]): readonly string[] => {
  const { version: before = 'none', verdicts = {} } = kept[name] ?? {}
  return found.flatMap(({ case: { id }, verdict, text }) => {
    const told = `${id}: ${verdict} ${text}`
    if (verdict === 'vacuous' || (id === FIRST && verdict !== 'passed')) return told
    const was = verdicts[id] ?? 'passed'
    return was === verdict || values.write ? [] : `${told}; kept of ${before}, now ${version}: ${was}`
  })
}

type Run = { readonly name: string; readonly version: string; readonly found: readonly Found[] }

const heldServer = async (name: string, server: Server): Promise<Run | undefined> => {
  const from = performance.now()
  const lacks = missing(server)
  if (lacks.length > 0) {
    console.log(`${name}: not tried, ${lacks.join(' and ')} not installed`)
    if (values.server !== undefined || values.write) process.exitCode = 1
    return undefined
  }
  try {
    const version = versionOf(server)
    const found = await verdictsOf(server)
    const counts = CHECK_VERDICTS.flatMap((verdict) => {
      const count = found.filter((each) => each.verdict === verdict).length
      return count === 0 ? [] : `${count} ${verdict.toUpperCase()}`
    })
    const wrong = complaints(name, version, found)
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    console.log(
      `${wrong.length === 0 ? 'ok  ' : 'FAIL'} ${server.library} ${version}: ${counts.join(', ')}, ${seconds} s`,
    )
    for (const line of wrong) console.log(`       ${line}`)
    if (wrong.length > 0) process.exitCode = 1
    return { name, version, found }
  } catch (error) {
    console.log(`FAIL ${server.library}: ${String(error)}`)
    process.exitCode = 1
    return undefined
  }
}

type Mutant = Edit & { readonly server: string; readonly case: string }

/** A copy of a server and of its library's code; what else the library needs stays where it is. */
const copied = (name: string, { code }: Server): string => {
  const folder = mkdtempSync(join(scratch, `${name}-`))
  const part = 'test/foreign-servers'
  for (const file of [name, 'test-api.mjs'])
    cpSync(join(ROOT, part, file), join(folder, part, file), { recursive: true })
  if (code === undefined) throw new Error(`${name} has no code to be changed`)
  const to = join(folder, code.to)
  cpSync(resolve(ROOT, code.from), to, { recursive: true, filter: (path) => !path.endsWith('__pycache__') })
  const [modules] = /^.*node_modules/.exec(resolve(ROOT, code.from)) ?? []
  if (modules !== undefined) symlinkSync(modules, join(to, 'node_modules'))
  return folder
}

/** A mutant is caught if the case that it names says worse of it than of the library as it is, by what it accepted or refused. */
const heldMutants = async (name: string, server: Server, mutants: readonly Mutant[]): Promise<number> => {
  const folder = copied(name, server)
  let caught = 0
  for (const mutant of mutants) {
    const undo = applyMutant(folder, mutant)
    const cases = WEBAUTHN_CASES.filter(({ id }) => id === mutant.case)
    const told = await served(server, folder, (url) => played(url, cases)).then(
      ([found]) => found ?? { verdict: 'skipped' as const, text: 'there is no such case' },
      (error: unknown) => ({ verdict: 'skipped' as const, text: String(error) }),
    )
    undo()
    const rank = (verdict: CheckVerdict): number => CHECK_VERDICTS.indexOf(verdict)
    const { verdict, text } = told
    const isWorse = rank(verdict) < rank(kept[name]?.verdicts[mutant.case] ?? 'passed')
    if (isWorse && verdict !== 'vacuous' && verdict !== 'skipped') caught += 1
    else console.log(`FAIL ${name}, ${mutant.what}: ${mutant.case} says ${verdict} ${text}`)
  }
  console.log(`${caught} of ${mutants.length} mutants of ${name} caught by the case that each names`)
  return mutants.length - caught
}

const names = Object.keys(SERVERS).filter((name) => values.server?.includes(name) ?? true)
const unknown = values.server?.filter((name) => !names.includes(name)) ?? []
if (unknown.length > 0)
  throw new Error(`there is no server ${unknown.join(', ')}; known are ${Object.keys(SERVERS).join(', ')}`)

const runs: Run[] = []
for (const name of names) {
  const server = SERVERS[name]
  const run = server && (await heldServer(name, server))
  if (run !== undefined) runs.push(run)
}
if (values.write) {
  const verdicts: Kept = {
    ...kept,
    ...Object.fromEntries(
      runs.map(({ name, version, found }) => [
        name,
        {
          version,
          verdicts: Object.fromEntries(
            found.filter(({ verdict }) => verdict !== 'passed').map(({ case: { id }, verdict }) => [id, verdict]),
          ),
        },
      ]),
    ),
  }
  writeFileSync(join(HERE, 'verdicts.json'), `${JSON.stringify(verdicts, null, 1)}\n`)
}
if (values.mutants) {
  const all = read<readonly Mutant[]>('mutants.json').filter(({ what }) => values.mutant?.includes(what) ?? true)
  for (const name of new Set(all.map(({ server }) => server).filter((each) => names.includes(each)))) {
    const server = SERVERS[name]
    const its = all.filter((each) => each.server === name)
    if (server !== undefined && missing(server).length === 0 && (await heldMutants(name, server, its)) > 0)
      process.exitCode = 1
  }
}
