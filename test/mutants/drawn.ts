/**
 * npm run mutants:drawn: what a suite notices of mistakes that were drawn by chance. `--draw 60 --seed 7 --out PLACES` draws;
 * `--play PLACES --write RESULT [--part unit|e2e] [--root CLONE] [--map OLD=NEW]…` plays them in a copy of a clone's last commit,
 * and goes on where a run with the same RESULT ended; `--compare A B` prints two results.
 */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser } from '../support/browser.mjs'
import { ROOT } from '../support/imports.ts'
import { drawPlaces, findPlace, isDrawnFrom, type Place, type Sources } from './draw.ts'
import { inWords, type Outcome, type Play, playPlaces, type Reach } from './play-drawn.ts'

type Part = 'unit' | 'e2e'
type Drawn = { readonly commit: string; readonly seed: number; readonly places: readonly Place[] }
type Result = Drawn & {
  readonly reach: Partial<Record<Part, Reach>>
  /** By place and part; of none for a place that is gone. */
  readonly outcomes: Record<string, Partial<Record<Part, Outcome>>>
}

const { values, positionals } = parseArgs({
  options: {
    ...{ draw: { type: 'string' }, seed: { type: 'string', default: '1' }, out: { type: 'string' } },
    ...{ play: { type: 'string' }, part: { type: 'string', default: 'test' }, write: { type: 'string', default: '' } },
    ...{ root: { type: 'string', default: ROOT }, map: { type: 'string', multiple: true, default: [] } },
    compare: { type: 'boolean', default: false },
  },
  allowPositionals: true,
} as const)

const root = resolve(values.root)
const textOf = (file: string): string => readFileSync(file, 'utf8')
const keep = (file: string, value: Result): void => {
  if (file !== '') writeFileSync(file, `${JSON.stringify(value, null, 1)}\n`)
}
const git = (...args: string[]): string => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()
const commit = git('rev-parse', 'HEAD')
const readSources = (): Sources => {
  const files = git('ls-files', 'src-main', 'src-renderer').split('\n').filter(isDrawnFrom)
  return new Map(files.map((file) => [file, textOf(join(root, file))]))
}
const copy = mkdtempSync(join(tmpdir(), 'handset-drawn-'))

const runNode = (args: readonly string[], env: NodeJS.ProcessEnv = {}, limitMs = 3_600_000): Promise<string> =>
  new Promise((done) => {
    // In a group of its own: a test that never ends outlives its runner.
    const child = spawn(process.execPath, args, { cwd: copy, env: { ...process.env, ...env }, detached: true })
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), limitMs)
    const chunks: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => chunks.push(text))
    child.once('exit', () => clearTimeout(timer)).once('close', () => done(chunks.join('')))
  })

const build = async (): Promise<void> => {
  await runNode(['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel=warn'])
  await runNode(['node_modules/vite/bin/vite.js', 'build', '--config=src-renderer/viewer/vite.config.ts'])
}

/** Changes the line of each place while something is done. */
const withLines = async <T>(
  places: readonly Place[],
  lineOf: (place: Place) => string,
  work: () => Promise<T>,
): Promise<T> => {
  const old = new Map(places.map(({ file }) => [join(copy, file), textOf(join(copy, file))]))
  for (const place of places) {
    const lines = textOf(join(copy, place.file)).split('\n')
    const line = (lines[place.line - 1] ?? '').replace(place.text, () => lineOf(place))
    writeFileSync(join(copy, place.file), lines.with(place.line - 1, line).join('\n'))
  }
  return work().finally(() => {
    for (const [path, code] of old) writeFileSync(path, code)
  })
}

const replacementOf = ({ replacement }: Place): string => replacement
const LOG = join(copy, 'reached.log')
/** The line, which then says once in each process or page that it runs, and in which test file. */
const withProbe = ({ id, kind, text, at: [start, end] }: Place): string => {
  const write = `process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(LOG)},"${id} "+globalThis.process.env.REACHING_TEST_FILE+"\\n")`
  const say = `globalThis.process?.getBuiltinModule?globalThis.${write}:globalThis.console.debug("reached place ${id};")`
  const once = `(globalThis.reachedPlaces??=new Set).has(${id})||(globalThis.reachedPlaces.add(${id}),${say})`
  const part = text.slice(start, end)
  return (
    text.slice(0, start) + (kind === 'deleted line' ? `{ ${once}; ${part} }` : `(${once},${part})`) + text.slice(end)
  )
}

const REPORT = join(copy, 'drawn-report.json')
/** `alone`: until the first failure. On a busy machine a test may fail by chance, but hardly twice. */
const RUNNERS = {
  unit: {
    run: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile.json=${REPORT}`],
    ...{ twice: '--retry=1', alone: '--bail=1' },
  },
  e2e: {
    run: ['node_modules/@playwright/test/cli.js', 'test', '--config=test/e2e/playwright.config.ts', '--reporter=json'],
    ...{ twice: '--retries=1', alone: '-x' },
  },
}
const PLAYWRIGHT = { PLAYWRIGHT_JSON_OUTPUT_NAME: REPORT, PW_DISABLE_TS_ESM: '1', HANDSET_BROWSER: findBrowser() }

const playFiles = async (part: Part, args: readonly string[], env: NodeJS.ProcessEnv = {}, limitMs?: number) => {
  rmSync(REPORT, { force: true })
  const output = await runNode(
    [...RUNNERS[part].run, ...args],
    { ...(part === 'e2e' ? PLAYWRIGHT : {}), ...env },
    limitMs,
  )
  const seconds: Record<string, number> = {}
  const failures = new Map<string, string>()
  const add = (file: string, ms: number, failed: string | undefined): void => {
    seconds[file] = (seconds[file] ?? 0) + ms / 1000
    if (failed !== undefined) failures.set(file, failed)
  }
  // A runner that was ended leaves no report; Playwright's has what its browsers said.
  const report = existsSync(REPORT) ? textOf(REPORT) : undefined
  if (report === undefined) for (const file of args) failures.set(file, 'never ends')
  else
    JSON.parse(report, (_, value) => {
      if (value?.assertionResults !== undefined) {
        const failed = value.assertionResults.find((test: { status: string }) => test.status === 'failed')
        const title = value.status === 'failed' ? (failed?.fullName ?? 'fails as a whole') : undefined
        add(relative(copy, value.name), value.endTime - value.startTime, title)
      } else if (value?.results !== undefined && value.projectName !== undefined) return value.results
      else if (value?.tests !== undefined && value.file !== undefined)
        for (const { duration } of value.tests.flat())
          add(`test/e2e/${value.file}`, duration, value.ok ? undefined : value.title)
      return value
    })
  return { seconds, failures, output: `${output}${report}` }
}

// Not HANDSET_…: the program refuses such a variable that it does not know.
const SET_UP = `import { expect } from 'vitest'
process.env.REACHING_TEST_FILE = expect.getState().testPath`
const CONFIG = `import { mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'
export default mergeConfig(config, { test: { setupFiles: ['./reach.setup.ts'] } })`

const findReach = async (part: Part, places: readonly Place[]): Promise<Reach> => {
  writeFileSync(LOG, '')
  writeFileSync(join(copy, 'reach.setup.ts'), SET_UP)
  writeFileSync(join(copy, 'reach.config.ts'), CONFIG)
  const seconds: Record<string, number> = {}
  const playWith = async (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<void> => {
    const played = await playFiles(part, [...args, RUNNERS[part].twice], env)
    for (const [, id] of played.output.matchAll(/reached place (\d+);/g)) appendFileSync(LOG, `${id} ${args[0]}\n`)
    Object.assign(seconds, played.seconds)
    for (const file of played.failures.keys()) delete seconds[file]
    if (played.failures.size > 0) console.log('Left out, fails without a mistake:', played.failures)
  }
  await withLines(places, withProbe, async () => {
    // Each file in a process of its own: modules are loaded for each.
    if (part === 'unit') return playWith(['--config=reach.config.ts', '--isolate'])
    await build()
    for (const file of git('ls-files', 'test/e2e/*.spec.ts').split('\n'))
      await playWith([file], { DEBUG: 'pw:browser', REACHING_TEST_FILE: join(copy, file) })
  })
  const lines = textOf(LOG).replaceAll(`${copy}/`, '').split('\n')
  const filesOf = (id: string): readonly string[] => {
    const own = lines.filter((line) => line.startsWith(`${id} `))
    const files = [...new Set(own.map((line) => line.slice(id.length + 1)))]
    // A child process with an environment of its own does not know its test file.
    return files.join() === 'undefined' ? Object.keys(seconds) : files
  }
  return { seconds, reached: Object.fromEntries(places.map(({ id }) => [id, filesOf(id)])) }
}

const draw = (count: number, seed: number): void => {
  const places = drawPlaces(readSources(), { count, seed })
  for (const { id, kind, file, line, text, replacement } of places)
    console.log(`${id}. ${kind}, ${file}:${line}\n  - ${text}\n  + ${replacement}`)
  console.log(`${places.length} places at ${commit}, seed ${seed}`)
  // One line for each place, so that a diff says which changed.
  const lines = places.map((place) => JSON.stringify(place)).join(',\n')
  if (values.out !== undefined)
    writeFileSync(values.out, `{ "commit": "${commit}", "seed": ${seed}, "places": [\n${lines}\n] }\n`)
}

const play = async (drawn: Drawn): Promise<void> => {
  const known: Result | undefined = existsSync(values.write) ? JSON.parse(textOf(values.write)) : undefined
  const result: Result = known?.commit === commit ? known : { ...drawn, commit, reach: {}, outcomes: {} }
  const sources = readSources()
  const places = drawn.places.flatMap((place) => {
    const [from = '', to = ''] =
      values.map.find((pair) => place.file.startsWith(pair.split('=')[0] ?? ''))?.split('=') ?? []
    const found = findPlace(place, sources, to + place.file.slice(from.length))
    if (found === undefined) result.outcomes[place.id] = {}
    return found === undefined ? [] : { ...place, ...found }
  })
  git('-c', 'advice.detachedHead=false', 'clone', '--quiet', root, copy)
  execFileSync('cp', ['-al', join(root, 'node_modules'), copy])
  // Vitest would write its times into the one file that all hard links share.
  rmSync(join(copy, 'node_modules/.vite'), { recursive: true, force: true })
  await build()
  for (const part of (['unit', 'e2e'] as const).filter((each) => ['test', each].includes(values.part))) {
    const open = places.filter(({ id }) => !inWords(result.outcomes[id]).startsWith('caught'))
    const reach = result.reach[part] ?? (await findReach(part, open))
    result.reach[part] = reach
    const { twice, alone } = RUNNERS[part]
    const playAll: Play = async (mistakes, files) => {
      if (part === 'e2e') await build()
      const limitMs = files.reduce((sum, file) => sum + 8000 * (reach.seconds[file] ?? 0), 240_000)
      const args = [...files, twice, ...(mistakes.length > 1 ? [] : [alone])]
      return (await playFiles(part, args, {}, limitMs)).failures
    }
    const playMistakes: Play = (mistakes, files) => withLines(mistakes, replacementOf, () => playAll(mistakes, files))
    const left = open.filter(({ id }) => {
      const { reaching, played } = result.outcomes[id]?.[part] ?? { reaching: 1, played: 0 }
      return played < reaching
    })
    await playPlaces(left, reach, playMistakes, (place, outcome) => {
      result.outcomes[place.id] = { ...result.outcomes[place.id], [part]: outcome }
      console.log(`${place.id}. ${place.file}:${place.line}: ${inWords(result.outcomes[place.id])}`)
      keep(values.write, result)
    })
  }
  keep(values.write, result)
}

const compare = (results: readonly Result[]): void => {
  console.log('| mutant | before | after |\n|---|---|---|')
  for (const { id, file, line, text, replacement } of results[0]?.places ?? []) {
    const cells = [
      `${id}. ${file}:${line} \`${text}\` → \`${replacement}\``,
      ...results.map(({ outcomes }) => inWords(outcomes[id])),
    ]
    console.log(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
  }
  for (const { commit, places, outcomes } of results) {
    const counts = Map.groupBy(places, ({ id }) => inWords(outcomes[id]).replace(/^(caught|survived).*/, '$1'))
    console.log(`${commit}: ${[...counts].map(([word, { length }]) => `${length} ${word}`).join(', ')}`)
  }
}

try {
  if (values.draw !== undefined) draw(Number(values.draw), Number(values.seed))
  else if (values.play !== undefined) await play(JSON.parse(textOf(values.play)))
  else if (values.compare) compare(positionals.map((file) => JSON.parse(textOf(file))))
  else throw new Error('Give --draw, --play or --compare; the head of test/mutants/drawn.ts says how.')
} finally {
  rmSync(copy, { recursive: true, force: true })
}
