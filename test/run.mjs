// @ts-check
/**
 * npm test: everything that must hold before a change lands, in the order in which it fails fastest, and the counts.
 *
 *   npm test -- unit               one part, or several; `long` and `nightly` run only when asked for
 *   npm test -- test/x.test.ts:12  some tests (as well: -t TITLE for unit tests, -g TITLE in a browser)
 *   npm test -- --changed [REV]    what the files that changed since REV (or since the last commit) can reach
 *
 * A red run ends with what failed. Each such test is played once more alone: one that passes then is flaky, and as red.
 */
import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrInstallBrowser } from './support/browser.mjs'
import { aloneArguments, e2eFailures, e2eSeconds, failureLines, isPlain, partLine, plainEnvironment, slowestLine, unitFailures, unitSeconds } from './support/test-output.mjs'

/** @typedef {import('./support/test-output.mjs').Played} Played */
/** @typedef {{ good: boolean, counts?: import('./support/test-output.mjs').Counts, failures: readonly Played[] }} Outcome */

const root = join(import.meta.dirname, '..')
const bin = (/** @type {string} */ path) => join(root, 'node_modules', path)
const scratch = mkdtempSync(join(tmpdir(), 'handset-test-'))
const started = performance.now()
const plain = isPlain({ isTTY: process.stdout.isTTY, env: process.env })
// Dozens of tests start a program: the first one compiles it for all.
const compiled = { NODE_COMPILE_CACHE: join(scratch, 'compiled') }
const environment = { ...(plain ? plainEnvironment(process.env) : process.env), ...compiled }

const readJson = (/** @type {string} */ path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
/** @type {NodeJS.Signals | undefined} */
let stoppedBy
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    stoppedBy = signal
    for (const child of running) child.kill(signal)
  })
}

/**
 * Runs one tool on the pinned Node and tells whether it was content; one that runs tests reads its report.
 * @type {(title: string, args: readonly string[], options?: { env?: NodeJS.ProcessEnv, silent?: boolean, part?: string, tells?: boolean }, read?: () => Omit<Outcome, 'good'> | undefined) => Promise<Outcome>}
 */
const run = async (title, args, { env = {}, silent = false, part = title, tells = true } = {}, read) => {
  const from = performance.now()
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', silent ? 'ignore' : 'inherit', silent && !tells ? 'ignore' : 'inherit'], env: { ...environment, ...env } })
  running.add(child)
  const { status = null, signal, error } = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }))
    child.once('close', (status, signal) => resolve({ status, signal }))
  })
  running.delete(child)
  const found = read?.()
  const failures = [...(found?.failures ?? [])]
  const ended = signal ? `was ended by ${signal}` : `ended with exit code ${status}`
  if (error) failures.push({ part, details: [`${title} could not be started: ${error.message}`] })
  else if (read && found === undefined) failures.push({ part, details: [`${title} ${ended} before it could report.`] })
  else if (status !== 0 && failures.length === 0) failures.push({ part, details: [read ? `${title} ${ended}, with no test that failed.` : `${title} ${ended}: see above.`] })
  const counts = read && { passed: 0, skipped: 0, ...found?.counts, failed: failures.length }
  const good = failures.length === 0
  if (tells) console.log(partLine({ good, title, seconds: (performance.now() - from) / 1000, counts }))
  if (tells && counts?.seconds !== undefined && counts.seconds.size > 1) console.log(slowestLine(counts.seconds))
  return { good, failures, ...(counts && { counts }) }
}

/** @typedef {{ title: string, part: string, more?: readonly string[], env?: NodeJS.ProcessEnv, tells?: boolean }} Tests */
let reports = 0

const inNode = (/** @type {Tests} */ { title, part, more = [], env = {}, tells = true }) => {
  const report = join(scratch, `unit-${reports++}.json`)
  const reporters = [...(plain || !tells ? [] : ['--reporter=dot']), '--reporter=./test/support/unit-reporter.mjs', '--includeTaskLocation', '--passWithNoTests']
  const options = { env: { HANDSET_TEST_REPORT: report, ...env }, silent: !tells, part, tells }
  return run(title, [bin('vitest/vitest.mjs'), 'run', ...reporters, ...more], options, () => {
    const result = readJson(report)
    if (result === undefined) return undefined
    const states = result.files.flatMap((/** @type {any} */ { tests }) => tests.map((/** @type {any} */ { state }) => state))
    const count = (/** @type {string} */ wanted) => states.filter((/** @type {string} */ state) => state === wanted).length
    const failures = unitFailures(result).map((failure) => ({ ...failure, part }))
    return { failures, counts: { passed: count('passed'), failed: 0, skipped: count('skipped'), seconds: unitSeconds(result) } }
  })
}

/** Without a terminal, and beside other tests, it says nothing until it has ended. */
const inBrowser = async (/** @type {Tests & { quiet?: boolean }} */ { title, part, quiet = plain, more = [], env: own = {}, tells = true }) => {
  const browser = findOrInstallBrowser()
  if (browser === undefined) {
    const details = ['There is no Chromium, Chrome or Edge. Install one, or name it in HANDSET_BROWSER.']
    return { good: false, failures: [{ part, details }], counts: { passed: 0, failed: 1, skipped: 0 } }
  }
  const report = join(scratch, `e2e-${reports++}.json`)
  const playwright = ['--disable-warning=ExperimentalWarning', bin('@playwright/test/cli.js'), 'test', '--config', 'test/e2e/playwright.config.ts']
  const args = [...playwright, `--reporter=${quiet ? 'json' : 'list,json'}`, '--pass-with-no-tests', ...more]
  // Playwright tells its workers to use colours, of which Node then warns beside NO_COLOR.
  const colours = plain ? { NO_COLOR: undefined, FORCE_COLOR: '0' } : {}
  // Node strips types itself: Playwright would first translate all of the source, in a fresh clone for ten seconds.
  const untranslated = { PW_DISABLE_TS_ESM: '1' }
  const env = { HANDSET_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...untranslated, ...colours, ...own }
  // Where no reporter writes to the terminal, Playwright adds one that does.
  return run(`${title} in ${browser}`, args, { env, silent: quiet || !tells, part, tells }, () => {
    const result = readJson(report)
    if (result === undefined) return undefined
    const { expected = 0, skipped = 0 } = result.stats ?? {}
    const failures = e2eFailures(result).map((failure) => ({ ...failure, part }))
    return { failures, counts: { passed: expected, failed: 0, skipped, seconds: e2eSeconds(result) } }
  })
}

// --- What is wanted ---

const steps = {
  lint: () => run('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']),
  build: async () => {
    const page = await run('build', [bin('electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn'])
    return page.good ? run('build of the report’s viewer', [bin('vite/bin/vite.js'), 'build', '--config', 'src-renderer/viewer/vite.config.ts']) : page
  },
  // Each checker checks again what it shares with the others: one needs two thirds of the processor that four need.
  types: () => run('types', [bin('typescript/bin/tsc'), '--noEmit', '--checkers', '1']),
}
/** The parts that play tests, and what makes a test one of theirs: test/support/parts.ts. @type {Record<string, NodeJS.ProcessEnv>} */
const played = { test: {}, long: { HANDSET_TEST_LONG: 'yes' }, nightly: { HANDSET_TEST_NIGHTLY: 'yes' } }
const PARTS = [...Object.keys(steps), 'unit', 'e2e', 'long', 'nightly']

const given = process.argv.slice(2)
const asked = given.filter((word, i) => PARTS.includes(word) && given.slice(0, i).every((before) => PARTS.includes(before)))
const rest = given.slice(asked.length)
const changed = rest[0] === '--changed' ? (rest[1] ?? 'HEAD') : undefined
const words = changed === undefined ? rest : []
const firstOption = words.findIndex((word) => word.startsWith('-'))
const files = firstOption < 0 ? words : words.slice(0, firstOption)
const options = firstOption < 0 ? [] : words.slice(firstOption)
const unknown = files.find((word) => !/[./]/.test(word))
if (unknown !== undefined || (changed === undefined && files.length === 0 && options.length > 0 && asked.length !== 1)) {
  console.error(`npm test knows no part or option "${unknown ?? options[0]}". Parts: ${PARTS.join(', ')}; or name a test file, or --changed.`)
  process.exit(2)
}
const specs = files.filter((file) => /\.spec\.ts/.test(file))
const units = files.filter((file) => !specs.includes(file))
const named = [...(units.length > 0 ? ['unit'] : []), ...(specs.length > 0 ? ['e2e'] : [])]
const wanted = asked.length > 0 ? asked : named.length > 0 ? named : PARTS.filter((name) => name !== 'long' && name !== 'nightly')
const needsOnly = (/** @type {string} */ kind) => files.length > 0 && !named.includes(kind)

const differing = () => {
  const git = (/** @type {string[]} */ ...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  const since = git('diff', '--name-only', String(changed))
  if (since.status !== 0) {
    console.error(since.stderr.trim())
    process.exit(2)
  }
  return [...since.stdout.split('\n'), ...git('ls-files', '--others', '--exclude-standard').stdout.split('\n')].filter(Boolean)
}
const differences = changed === undefined ? [] : differing()

/** An end-to-end test sees the page and the program: it is played when one of them, or what it is made of, has changed. */
const reachesBrowser = changed === undefined || differences.some((file) => /^(src-main|src-renderer|test\/(e2e|support|shell)|package-lock\.json|[\w.]+\.config\.ts)/.test(file))

/** What reads files as text is reached without an import: the rules over the tree, and the documents with what they quote. */
const readers = [...(differences.length > 0 ? globSync('test/*.test.ts', { cwd: root }) : []), ...(differences.some((file) => !/\.tsx?$/.test(file)) ? ['test/docs/', 'test/release/'] : [])]

/** @type {(part: string) => Promise<readonly Outcome[]>} */
const play = (part) => {
  const long = part === 'unit' || part === 'e2e' ? 'test' : part
  const env = played[long] ?? {}
  const title = (/** @type {string} */ kind) => (long === 'test' ? kind : `${long} ${kind}`)
  const since = changed === undefined ? [] : [`--changed=${changed}`]
  const beside = plain || long !== 'test' || wanted.includes('unit')
  const kinds = [
    ...(part !== 'e2e' && !needsOnly('unit') ? [inNode({ title: title('unit tests'), part, env, more: [...units, ...since, ...options] })] : []),
    ...(part !== 'e2e' && readers.length > 0 ? [inNode({ title: 'unit tests that read files', part, env, more: readers })] : []),
    ...(part !== 'unit' && !needsOnly('e2e') && reachesBrowser ? [inBrowser({ title: title('end-to-end tests'), part, env, quiet: beside, more: [...specs, ...options] })] : []),
  ]
  return Promise.all(kinds)
}
const inStep = async (/** @type {string} */ name) => (name in steps ? [await steps[/** @type {keyof typeof steps} */ (name)]()] : play(name))

/**
 * What runs side by side: types take one core, lint and the build the other; and while an end-to-end test waits for its
 * page, unit tests use its core.
 */
const turns = [['types', 'build', 'lint'], ['unit', 'e2e'], ['long'], ['nightly']]

/** @type {Outcome[]} */
const outcomes = []
for (const names of turns) {
  if (stoppedBy === undefined) outcomes.push(...(await Promise.all(names.filter((name) => wanted.includes(name)).map(inStep))).flat())
}

/** A test that fails is told from one that is flaky by playing it alone; with many red ones that says nothing new. */
const MOST_PLAYED_AGAIN = 10
/** @type {(failure: Played) => Promise<Played>} */
const playAgain = async (failure) => {
  const { part, file, title } = failure
  if (file === undefined || stoppedBy !== undefined) return failure
  const [, ...more] = aloneArguments(failure)
  const isSpec = file.endsWith('.spec.ts')
  const tests = { title: title ?? file, part, more, env: played[part] ?? {}, tells: false }
  const { good, counts, failures } = await (isSpec ? inBrowser({ ...tests, quiet: true }) : inNode(tests))
  if (good && (counts?.passed ?? 0) === 0) return { ...failure, again: { good: false, details: ['It was not found.'] } }
  return { ...failure, again: { good, details: good ? ['It passed.'] : failures.flatMap(({ details }) => details) } }
}

let failures = outcomes.flatMap(({ failures }) => failures)
const isAlone = failures.length === 1 && options.length > 0
if (failures.length <= MOST_PLAYED_AGAIN && !isAlone) {
  const again = []
  for (const failure of failures) again.push(await playAgain(failure))
  failures = again
}
rmSync(scratch, { recursive: true, force: true })
if (failures.length > 0) console.log(`\n${failureLines(failures).join('\n')}`)
const good = failures.length === 0 && stoppedBy === undefined
const ending = stoppedBy !== undefined ? `Stopped by ${stoppedBy}` : good ? 'All is well' : 'Something failed'
console.log(`${ending} after ${((performance.now() - started) / 1000).toFixed(0)} s.`)
const counted = outcomes.flatMap(({ counts }) => counts ?? [])
const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ name) => counted.reduce((all, counts) => all + counts[name], 0)
// Lint, types and the build count nothing.
if (counted.length > 0) console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
process.exit(good ? 0 : 1)
