// @ts-check
/**
 * npm test: everything that must hold before a change lands, in the order in which it fails fastest, and the counts.
 * `npm test -- unit` or `-- e2e` runs one part; `-- long` and `-- nightly`, which take longer, only who asks for them.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrInstallBrowser } from './support/browser.mjs'
import { e2eFailures, e2eReporters, e2eSeconds, isPlain, partLine, plainEnvironment, slowestLine, unitReporter, unitSeconds } from './support/test-output.mjs'

const root = join(import.meta.dirname, '..')
const bin = (/** @type {string} */ path) => join(root, 'node_modules', path)
const scratch = mkdtempSync(join(tmpdir(), 'handset-test-'))
const wanted = process.argv.slice(2)
const started = performance.now()
const plain = isPlain({ isTTY: process.stdout.isTTY, env: process.env })
// Dozens of tests start a program: the first one compiles it for all.
const compiled = { NODE_COMPILE_CACHE: join(scratch, 'compiled') }
const environment = { ...(plain ? plainEnvironment(process.env) : process.env), ...compiled }
const counts = { passed: 0, failed: 0, skipped: 0 }

/**
 * Runs one tool on the pinned Node and tells whether it was content; a tool that runs tests counts them.
 * @type {(title: string, args: string[], options?: { env?: NodeJS.ProcessEnv, silent?: boolean }, read?: () => import('./support/test-output.mjs').Counts) => Promise<boolean>}
 */
const run = async (title, args, { env = {}, silent = false } = {}, read) => {
  const from = performance.now()
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', silent ? 'ignore' : 'inherit', 'inherit'], env: { ...environment, ...env } })
  const { status, error } = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }))
    child.once('close', (status) => resolve({ status }))
  })
  const found = read?.()
  const good = status === 0 && (found?.failed ?? 0) === 0
  counts.passed += found?.passed ?? 0
  counts.failed += found?.failed ?? 0
  counts.skipped += found?.skipped ?? 0
  const line = partLine({ good, title, seconds: (performance.now() - from) / 1000, counts: found })
  console.log(`${line}${error ? ` ${error.message}` : ''}${plain ? '' : '\n'}`)
  if (found?.seconds !== undefined && found.seconds.size > 1) console.log(slowestLine(found.seconds))
  return good
}

const readJson = (/** @type {string} */ path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

const inNode = (/** @type {{ title: string, files?: string[], env?: NodeJS.ProcessEnv }} */ { title, files = [], env = {} }) => {
  const report = join(scratch, 'unit.json')
  const reporters = [`--reporter=${unitReporter(plain)}`, '--reporter=json', `--outputFile.json=${report}`, '--passWithNoTests']
  return run(title, [bin('vitest/vitest.mjs'), 'run', ...reporters, ...files], { env }, () => {
    const result = readJson(report)
    // A file that does not load has no tests that could fail: it counts as one.
    const unloaded = result?.testResults?.filter((/** @type {any} */ file) => file.status === 'failed' && file.assertionResults.length === 0)
    return {
      passed: result?.numPassedTests ?? 0,
      failed: (result?.numFailedTests ?? 0) + (unloaded?.length ?? 0),
      skipped: (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0),
      seconds: unitSeconds(result),
    }
  })
}

/** Beside other tests it says nothing until it has ended. */
const inBrowser = (/** @type {{ title: string, quiet: boolean, files?: string[], env?: NodeJS.ProcessEnv }} */ { title, quiet, files = [], env: own = {} }) => {
  const browser = findOrInstallBrowser()
  if (browser === undefined) {
    console.error('✗ end-to-end tests: no Chromium, Chrome or Edge found. Install one, or name it in HANDSET_BROWSER.\n')
    counts.failed += 1
    return Promise.resolve(false)
  }
  const report = join(scratch, 'e2e.json')
  const args = [bin('@playwright/test/cli.js'), 'test', '--config', 'test/e2e/playwright.config.ts', `--reporter=${e2eReporters(quiet)}`, '--pass-with-no-tests', ...files]
  // Playwright tells its workers to use colours, of which Node then warns beside NO_COLOR.
  const colours = plain ? { NO_COLOR: undefined, FORCE_COLOR: '0' } : {}
  // Node strips types itself: Playwright would first translate all of the source, in a fresh clone for ten seconds.
  const untranslated = { PW_DISABLE_TS_ESM: '1' }
  const env = { HANDSET_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...untranslated, ...colours, ...own }
  // Where no reporter writes to the terminal, Playwright adds one that does.
  return run(`${title} in ${browser}`, args, { env, silent: quiet }, () => {
    const result = readJson(report)
    if (quiet) for (const failure of e2eFailures(result)) console.log(failure)
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = result?.stats ?? {}
    return { passed: expected, failed: unexpected + flaky, skipped, seconds: e2eSeconds(result) }
  })
}

const allGood = async (/** @type {readonly Promise<boolean>[]} */ running) => (await Promise.all(running)).every(Boolean)
const isWanted = (/** @type {string} */ name) => (wanted.length === 0 ? Object.hasOwn(steps, name) : wanted.includes(name))

const steps = {
  lint: () => run('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']),
  types: () => run('types', [bin('typescript/bin/tsc'), '--noEmit']),
  build: async () =>
    (await run('build', [bin('electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn'])) &&
    run('build of the report’s viewer', [bin('vite/bin/vite.js'), 'build', '--config', 'src-renderer/viewer/vite.config.ts']),
  unit: () => inNode({ title: 'unit and interface tests' }),
  e2e: () => inBrowser({ title: 'end-to-end tests', quiet: plain || isWanted('unit') }),
}
/** Its tests say that they belong to it: test/support/parts.ts. */
const longer = (/** @type {string} */ name, /** @type {NodeJS.ProcessEnv} */ env) =>
  allGood([inNode({ title: `${name} unit tests`, env }), inBrowser({ title: `${name} end-to-end tests`, quiet: true, env })])
const onRequest = {
  long: () => longer('long', { HANDSET_TEST_LONG: 'yes' }),
  nightly: () => longer('nightly', { HANDSET_TEST_NIGHTLY: 'yes' }),
}
const parts = { ...steps, ...onRequest }

const unknown = wanted.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`npm test knows no part "${unknown[0]}". Parts: ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

/**
 * What runs side by side: types take one core, and while an end-to-end test waits for its page, unit tests use its core.
 * @type {(keyof typeof parts)[][]}
 */
const turns = [['lint', 'types', 'build'], ['unit', 'e2e'], ['long'], ['nightly']]

let good = true
for (const names of turns) {
  good = (await allGood(names.filter(isWanted).map((name) => parts[name]()))) && good
}
rmSync(scratch, { recursive: true, force: true })
console.log(`${good ? 'All is well' : 'Something failed'} after ${((performance.now() - started) / 1000).toFixed(0)} s.`)
// Lint, types and the build count nothing.
if (Object.values(counts).some((count) => count > 0)) {
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
}
process.exit(good && counts.failed === 0 ? 0 : 1)
