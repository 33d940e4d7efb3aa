/**
 * The end-to-end tests of the page with codes in the place of sentences, in a copy of the project: what a service and a page
 * that read or match a sentence would do otherwise fails. The page's own labels stay, by which the tests find what they press.
 * Its arguments go to Playwright: `npm run test:codes:page -- refusals`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { moduleInCodes } from './in-codes.mjs'

const root = join(import.meta.dirname, '../../..')
const PARTS = ['src-main', 'src-renderer', 'test', 'package.json', 'tsconfig.json', 'electron.vite.config.ts']

const copy = mkdtempSync(join(tmpdir(), 'handset-codes-'))

const run = (...args: readonly string[]): number | null =>
  spawnSync(process.execPath, args, { cwd: copy, stdio: 'inherit' }).status

const runAll = (): number | null => {
  for (const part of PARTS) cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const english = join(copy, 'src-main/core/messages/en/en.ts')
  const coded = moduleInCodes(english, readFileSync(english, 'utf8'))
  if (coded?.includes('inCodes({') !== true) throw new Error('the English messages are not where they are looked for')
  writeFileSync(english, coded)
  const built = run('node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn')
  if (built !== 0) return built
  const viewer = run('node_modules/vite/bin/vite.js', 'build', '--config', 'src-renderer/viewer/vite.config.ts')
  if (viewer !== 0) return viewer
  const config = ['--config', 'test/support/codes/playwright.config.ts', '--reporter=list']
  return run('node_modules/@playwright/test/cli.js', 'test', ...config, ...process.argv.slice(2))
}

try {
  process.exitCode = runAll() ?? 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
