// @ts-check
/**
 * npm test: everything that must hold before a change lands, in the order in which it fails fastest, and the counts.
 * `npm test -- unit` or `-- e2e` runs one part.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrInstallBrowser } from './support/browser.mjs'

const root = join(import.meta.dirname, '..')
const bin = (/** @type {string} */ path) => join(root, 'node_modules', path)
const scratch = mkdtempSync(join(tmpdir(), 'handset-test-'))
const wanted = process.argv.slice(2)
const started = performance.now()
const counts = { passed: 0, failed: 0, skipped: 0 }

/** Runs one tool on the pinned Node and tells whether it was content. */
const run = (/** @type {string} */ title, /** @type {string[]} */ args, env = {}) => {
  const from = performance.now()
  const { status, error } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const good = status === 0
  console.log(`${good ? '✓' : '✗'} ${title} (${((performance.now() - from) / 1000).toFixed(1)} s)${error ? ` ${error.message}` : ''}\n`)
  return good
}

const readJson = (/** @type {string} */ path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

const unit = () => {
  const report = join(scratch, 'unit.json')
  const args = [bin('vitest/vitest.mjs'), 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const good = run('unit and interface tests', args)
  const result = readJson(report)
  counts.passed += result?.numPassedTests ?? 0
  // A file that does not load has no tests that could fail: it counts as one.
  const unloaded = result?.testResults?.filter((/** @type {any} */ file) => file.status === 'failed' && file.assertionResults.length === 0)
  counts.failed += (result?.numFailedTests ?? 0) + (unloaded?.length ?? 0)
  counts.skipped += (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0)
  return good
}

const e2e = () => {
  const browser = findOrInstallBrowser()
  if (browser === undefined) {
    console.error('✗ end-to-end tests: no Chromium, Chrome or Edge found. Install one, or name it in HANDSET_BROWSER.\n')
    counts.failed += 1
    return false
  }
  const report = join(scratch, 'e2e.json')
  const args = [bin('@playwright/test/cli.js'), 'test', '--config', 'test/e2e/playwright.config.ts', '--reporter=list,json']
  const good = run(`end-to-end tests in ${browser}`, args, { HANDSET_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  const stats = readJson(report)?.stats
  counts.passed += stats?.expected ?? 0
  counts.failed += (stats?.unexpected ?? 0) + (stats?.flaky ?? 0)
  counts.skipped += stats?.skipped ?? 0
  return good && (stats?.flaky ?? 0) === 0
}

const steps = {
  lint: () => run('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']),
  types: () => run('types', [bin('typescript/bin/tsc'), '--noEmit']),
  build: () => run('build', [bin('electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn']),
  unit,
  e2e,
}

const unknown = wanted.filter((name) => !Object.hasOwn(steps, name))
if (unknown.length > 0) {
  console.error(`npm test knows no part "${unknown[0]}". Parts: ${Object.keys(steps).join(', ')}.`)
  process.exit(2)
}

let good = true
for (const [name, step] of Object.entries(steps)) {
  if (wanted.length === 0 || wanted.includes(name)) good = step() && good
}
rmSync(scratch, { recursive: true, force: true })
console.log(`${good ? 'All is well' : 'Something failed'} after ${((performance.now() - started) / 1000).toFixed(0)} s.`)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(good && counts.failed === 0 ? 0 : 1)
