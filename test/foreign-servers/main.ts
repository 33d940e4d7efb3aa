/**
 * `handset check --webauthn` against small servers over libraries of other makers: `npm run foreign-servers -- [--server NAME]…
 * [--write] [--mutants]`. Their verdicts are kept in verdicts.json, so that a change of one is seen; `--write` makes
 * that file and docs/webauthn-servers.md anew. Each mutant, a check taken out of a library, must be caught by the case that it names.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import { CHECK_VERDICTS, type CheckVerdict } from '../../src-main/core/contract/check-report.ts'
import { POLICIES } from '../../src-main/core/contract/webauthn-server.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import { WEBAUTHN_CASES, type WebauthnCase } from '../../src-main/testing/check/webauthn/cases.ts'
import { checkWebauthn } from '../../src-main/testing/check/webauthn/run.ts'
import { applyMutant, type Edit } from '../mutants/apply-mutant.ts'
import { ROOT } from '../support/imports.ts'
import { begin } from '../support/spawn-tied.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', multiple: true },
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
const PAGE = join(ROOT, 'docs/webauthn-servers.md')
const ROUNDS = 7

/** Verdicts other than PASSED, by case and server, and the version of each server that got them. */
type Kept = {
  readonly versions: Readonly<Record<string, string>>
  readonly verdicts: Readonly<Record<string, Readonly<Record<string, CheckVerdict>>>>
}
const kept: Kept = read('verdicts.json')
const keptVerdict = (name: string, id: string): CheckVerdict => kept.verdicts[id]?.[name] ?? 'passed'

const missing = ({ needs }: Server): readonly string[] =>
  needs.filter((name) => !spawnSync('dpkg-query', ['-s', name]).stdout?.includes('Status: install ok installed'))

const here = (program: string): string => (program === 'node' ? process.execPath : program)
const versionOf = ({ version: [program, ...args] }: Server): string =>
  spawnSync(here(program), args, { cwd: ROOT, encoding: 'utf8' }).stdout?.trim() ?? ''

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
const served = async <T>(
  { start: [program, ...args] }: Server,
  cwd: string,
  use: (url: string) => Promise<T>,
): Promise<T> => {
  const env = { ...process.env, TMPDIR: scratch, PYTHONPATH: join(cwd, 'python'), PYTHONDONTWRITEBYTECODE: '1' }
  const { ready, kill } = begin([here(program), ...args], { cwd, env })
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
type Run = { readonly name: string; readonly version: string; readonly found: readonly Found[] }

/** What is wrong with a server's verdicts, one line each. */
const complaints = ({ name, version, found }: Run): readonly string[] =>
  found.flatMap(({ case: { id }, verdict, text }) => {
    const was = keptVerdict(name, id)
    if (verdict === 'vacuous' || (id === FIRST && verdict !== 'passed')) return `${id}: ${verdict} ${text}`
    if (was === verdict || values.write) return []
    return `${id}: ${verdict} ${text}; kept of version ${kept.versions[name]}, now ${version}: ${was}`
  })

const heldServer = async (name: string, server: Server): Promise<readonly Run[]> => {
  const from = performance.now()
  const lacks = missing(server)
  if (lacks.length > 0) {
    console.log(`${name}: not tried, ${lacks.join(' and ')} not installed`)
    if (values.server !== undefined || values.write || values.mutants) process.exitCode = 1
    return []
  }
  try {
    const run = { name, version: versionOf(server), found: await verdictsOf(server) }
    const counts = CHECK_VERDICTS.map((verdict) => [
      run.found.filter((each) => each.verdict === verdict).length,
      verdict,
    ])
    const told = counts
      .flatMap(([count, verdict]) => (count === 0 ? [] : `${count} ${verdict}`))
      .join(', ')
      .toUpperCase()
    const wrong = complaints(run)
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    console.log(`${wrong.length === 0 ? 'ok  ' : 'FAIL'} ${server.library} ${run.version}: ${told}, ${seconds} s`)
    for (const line of wrong) console.log(`       ${line}`)
    if (wrong.length > 0) process.exitCode = 1
    return [run]
  } catch (error) {
    console.log(`FAIL ${server.library}: ${String(error)}`)
    process.exitCode = 1
    return []
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
const heldMutants = async (name: string, server: Server, mutants: readonly Mutant[]): Promise<void> => {
  if (mutants.length === 0) return
  const folder = copied(name, server)
  const rank = (verdict: CheckVerdict): number => CHECK_VERDICTS.indexOf(verdict)
  let caught = 0
  for (const mutant of mutants) {
    const undo = applyMutant(folder, mutant)
    const cases = WEBAUTHN_CASES.filter(({ id }) => id === mutant.case)
    const told = await served(server, folder, (url) => played(url, cases)).catch(String)
    undo()
    const verdicts = typeof told === 'string' ? [] : told.map(({ verdict }) => verdict)
    const before = rank(keptVerdict(name, mutant.case))
    const isCaught = ({ verdict, text = '' }: Found): boolean =>
      /failed|warning/.test(verdict) && rank(verdict) < before && !text.startsWith(FELL_OVER)
    if (typeof told !== 'string' && told.some(isCaught)) caught += 1
    else console.log(`FAIL ${name}, ${mutant.what}: ${mutant.case} is ${verdicts.join() || told}`)
  }
  console.log(`${caught} of ${mutants.length} mutants of ${name} caught by the case that each names`)
  if (caught < mutants.length) process.exitCode = 1
}

// --- The page ---

type Note = {
  readonly kind: 'bug' | 'gap' | 'default' | 'policy' | 'glue'
  readonly servers: readonly string[]
  /** With `*` at the end for each that is accepted and begins so. The first note counts. */
  readonly mistakes: readonly string[]
  readonly text: string
}

const FELL_OVER = 'refused as an error of the server itself'
const signOf = ({ verdict, text }: Found): string =>
  text.startsWith(FELL_OVER) ? '!' : ({ passed: '✓', failed: '✗', warning: '○' }[verdict as string] ?? '–')
const raised = (n: number): string => String(n).replace(/./g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)))

/** Mistakes, or right answers, that the same steps are about and whose cells are equal. */
type Row = { readonly place: string; readonly isRight: boolean; readonly cells: string; readonly name: string }

/** Rows with the same key as one, with whatever of them differs in a list. */
const joined = (rows: readonly Row[], what: 'name' | 'place'): readonly Row[] => {
  const groups = Map.groupBy(rows, ({ [what]: _, ...rest }) => JSON.stringify(rest))
  return [...groups.values()].flatMap((all) =>
    all.slice(0, 1).map((row) => ({ ...row, [what]: all.map((each) => each[what]).join(', ') })),
  )
}

const placeOf = ({ step }: WebauthnCase): string => `§${step.replace(/[.](?=\d+$)/, ' step ')}`
const sentences = new Map(WEBAUTHN_CASES.map((each) => [placeOf(each), en.steps[each.step]]))

const pageOf = (runs: readonly Run[], head: readonly string[], notes: readonly Note[]): string => {
  const [used, wrong]: [Note[], string[]] = [[], []]
  const cellOf = (name: string, server: string, found: Found | undefined): string => {
    const sign = found === undefined ? '–' : signOf(found)
    const its = notes.filter(({ servers }) => /[✗○]/.test(sign) && servers.includes(server))
    const isMeant = (each: string): boolean => sign === '✗' && each.endsWith('*') && name.startsWith(each.slice(0, -1))
    const note = its.find(({ mistakes }) => mistakes.some((each) => each === name || isMeant(each)))
    if (note === undefined && sign === '✗') wrong.push(`no note says why ${server} has ${sign} for ${name}`)
    if (note === undefined) return sign
    if (!used.includes(note)) used.push(note)
    return `${sign}${raised(used.indexOf(note) + 1)}`
  }
  const byStep = (a: WebauthnCase, b: WebauthnCase): number => a.step.localeCompare(b.step, 'en', { numeric: true })
  const single = WEBAUTHN_CASES.toSorted(byStep).map((each): Row => {
    const [, name = each.id, end] = /^a-(?:registration|sign-in)-with-(.+)-is-(refused|accepted)$/.exec(each.id) ?? []
    const cells = runs.map((run) =>
      cellOf(
        name,
        run.name,
        run.found.find((found) => found.case === each),
      ),
    )
    const isRight = end === 'accepted' || /accepted|again-and-again/.test(each.id)
    return { place: placeOf(each), isRight, cells: cells.join('|'), name }
  })
  const both = joined(single, 'place')
  const open = both.filter(({ cells }) => /[✗○]/.test(cells))
  const rows = joined(open, 'name')
  wrong.push(...notes.filter((note) => !used.includes(note)).map(({ text }) => `a note explains nothing: ${text}`))
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  const table = (asked: readonly Row[]): string => {
    const lines = [...Map.groupBy(asked, ({ place }) => place)].flatMap(([place, its]) => [
      `|**${place}: ${sentences.get(place.replace(/,.*/, ''))}**|${'|'.repeat(runs.length)}`,
      ...its.map(({ name, cells }) => `|${name}|${cells}|`),
    ])
    const head = `||${runs.map(({ name }) => name).join('|')}|\n|---|${runs.map(() => ':-:|').join('')}`
    return [head, ...lines].join('\n')
  }
  const listed = new Set(open.map(({ name }) => name))
  const held = new Set(both.filter(({ isRight, name }) => !isRight && !listed.has(name)).map(({ name }) => name))
  const counts = ({ found }: Run): string =>
    ['✗', '○', '!', '–'].map((sign) => found.filter((each) => signOf(each) === sign).length).join('|')
  return `${head.join('\n')}

|server|library|version|of|✗|○|!|–|
|---|---|---|---|--:|--:|--:|--:|
${runs.map((run) => `|${run.name}|${SERVERS[run.name]?.library}|${run.version}|${SERVERS[run.name]?.date}|${counts(run)}|`).join('\n')}

## Mistakes
${held.size} more are refused by every server that could be asked.

${table(rows.filter(({ isRight }) => !isRight))}

## Right answers
✓ accepted, ✗ refused.

${table(rows.filter(({ isRight }) => isRight))}

## Why
${used.map(({ kind, servers, text }, n) => `${n + 1}. **${kind}**, ${servers.join(', ')}: ${text}`).join('\n')}
`
}

const unknown = values.server?.find((name) => SERVERS[name] === undefined)
if (unknown !== undefined) throw new Error(`there is no server ${unknown}; known: ${Object.keys(SERVERS).join(', ')}`)
const asked = Object.entries(SERVERS).filter(([name]) => values.server?.includes(name) ?? true)

const runs: Run[] = []
for (const [name, server] of asked) runs.push(...(await heldServer(name, server)))
if (values.write) {
  const versions = { ...kept.versions, ...Object.fromEntries(runs.map(({ name, version }) => [name, version])) }
  const verdictNow = (name: string, id: string): CheckVerdict => {
    const run = runs.find((each) => each.name === name)
    return run?.found.find((found) => found.case.id === id)?.verdict ?? keptVerdict(name, id)
  }
  // One line for each case, so that a line shows who differs.
  const rows = WEBAUTHN_CASES.flatMap(({ id }) => {
    const found = Object.keys(versions).map((name) => [name, verdictNow(name, id)] as const)
    const others = found.filter(([, verdict]) => verdict !== 'passed')
    return others.length === 0 ? [] : `  ${JSON.stringify(id)}: ${JSON.stringify(Object.fromEntries(others))}`
  })
  const text = `{\n "versions": ${JSON.stringify(versions)},\n "verdicts": {\n${rows.join(',\n')}\n }\n}\n`
  writeFileSync(join(HERE, 'verdicts.json'), text)
  const { head, notes } = read<{ readonly head: readonly string[]; readonly notes: readonly Note[] }>('notes.json')
  if (values.server === undefined) writeFileSync(PAGE, pageOf(runs, head, notes))
}
const mutants = Map.groupBy(values.mutants ? read<readonly Mutant[]>('mutants.json') : [], ({ server }) => server)
for (const [name, server] of asked)
  if (missing(server).length === 0) await heldMutants(name, server, mutants.get(name) ?? [])
