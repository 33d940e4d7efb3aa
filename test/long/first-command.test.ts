import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { blocksOf, readPage } from '../docs/code-blocks.ts'
import { ROOT } from '../support/imports.ts'

/** The first block of README. Its second line is what .ci/run runs, word by word. */
const [start = ''] = (blocksOf('README.md', readPage('README.md'))[0]?.text ?? '').split('\n')

test('the first command of README, word by word, serves the page', async () => {
  const [install, command] = start.split(' && ')
  // The tests run in what it has installed.
  expect(install).toBe('npm ci')
  // A copy, because it builds: tests beside this one use what was built before.
  const home = mkdtempSync(join(tmpdir(), 'handset-start-'))
  const copy = join(home, 'handset')
  for (const part of [
    'package.json',
    'tsconfig.json',
    'electron.vite.config.ts',
    'src-main',
    'src-renderer',
    // The signers that the page shows.
    'docs/interface/signing',
  ]) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env
  const child = spawn('sh', ['-c', command ?? ''], {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, HOME: home, XDG_DATA_HOME: home, HANDSET_PORT: '0' },
  })
  // Its output is closed when the last program of the command has ended, which may be later than the shell.
  const ended = once(child, 'close')
  onTestFinished(async () => {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM')
    child.stdout.resume()
    await ended
    rmSync(home, { recursive: true, force: true })
  })
  let page: string | undefined
  for await (const line of createInterface(child.stdout)) {
    page = /Page\s+(http:\S+)/.exec(line)?.[1]
    if (page !== undefined) break
  }
  const answer = await fetch(page ?? '')
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('<script')
})
