import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, expect, test } from 'vitest'
import type { RunReport } from '../../src-main/core/contract/run-report.ts'
import { findBrowser } from '../support/browser.mjs'
import { leftOver } from '../support/left-over.ts'
import { writeScenarios } from '../support/many-scenarios.ts'
import { serveBriefly } from '../support/serve-briefly.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const canRun = process.platform === 'linux'
const ROOT = join(import.meta.dirname, '../..')
const MARK = `stopped-runs-${process.pid}`
/** Ends neither kindly nor with its group. */
const STUBBORN =
  'trap "" TERM; setsid sh -c "trap \\"\\" TERM; while :; do sleep 1; done" & echo up; while :; do sleep 1; done'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  mkdirSync(join(folder, 'tests'))
})

const writeScenario = (name: string, ...steps: readonly string[]) => {
  const all = [...steps, 'wait: { kind: verdict, until: { s: 500 } }']
  writeFileSync(join(folder, 'tests', name), `name: ${name}\nsteps:\n${all.map((step) => `  - ${step}\n`).join('')}`)
}
const exec = `exec: { program: sh, args: ${JSON.stringify(['-c', STUBBORN])}, ready: { line: up } }`

/** Plays the tests, with reports; calls back at each event of the run. */
const play = async (args: readonly string[], onEvent: (event: { event: string; word?: string }, run: Run) => void) => {
  const browser = findBrowser()
  const child = spawn(
    process.execPath,
    [join(ROOT, 'src-main/bin.mjs'), 'run', 'tests', '--json', '--report', 'json,junit', '--out', 'out', ...args],
    {
      cwd: folder,
      env: { ...process.env, LEFT_OVER: MARK, ...(browser === undefined ? {} : { HANDSET_BROWSER: browser }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const errors: string[] = []
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  createInterface(child.stdout).on('line', (line) => onEvent(JSON.parse(line), child))
  const [code] = await once(child, 'close')
  return { code, errors }
}
type Run = { kill(signal: NodeJS.Signals): boolean }

const report = (): RunReport => JSON.parse(readFileSync(join(folder, 'out/run.json'), 'utf8'))
const ONE_LINE = [expect.stringMatching(/^handset run: /)]

test.skipIf(!canRun || findBrowser() === undefined).each([1, 2])(
  'Ctrl-C with %s scenarios at a time ends programs and browsers, says so in a line, and leaves whole reports',
  async (count) => {
    const site = await serveBriefly((_, response) => void response.end('a page'))
    for (let i = 0; i < count; i++) writeScenario(`${i}.yaml`, exec, `browser: { open: "${site}/" }`)
    let opened = 0
    const told = await play(['--parallel', String(count)], ({ event, word }, run) => {
      if (event === 'step' && word === 'browser' && ++opened === count) run.kill('SIGINT')
    })
    expect(told).toEqual({ code: 130, errors: ONE_LINE })
    expect(report()).toMatchObject({ outcome: 'stopped', counts: { stopped: count } })
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['junit.xml', 'run.json'])
    // A browser's helpers end by themselves when it is gone.
    await expect.poll(() => leftOver(MARK)).toEqual([])
  },
)

test.skipIf(!canRun).each<readonly [string, (run: Run) => void, number | null]>([
  [
    'that is ended again and again by Ctrl-C',
    (run) => {
      // The first asks; one after the first half second means it.
      const again = setInterval(() => run.kill('SIGINT') || clearInterval(again), 100)
    },
    130,
  ],
  ['that is killed', (run) => void run.kill('SIGKILL'), null],
])('a run %s leaves no process, and nothing half-written', async (_, end, code) => {
  writeScenario('a.yaml', exec)
  const told = await play([], ({ event, word }, run) => {
    if (event === 'step' && word === 'exec') end(run)
  })
  expect(told).toEqual({ code, errors: [] })
  expect(readdirSync(join(folder, 'out'))).toEqual([])
  await expect.poll(() => leftOver(MARK), { timeout: 60_000 }).toEqual([])
})

test.skipIf(!canRun)('Ctrl-C while the reports are written leaves whole ones', async () => {
  writeScenarios(join(folder, 'tests'), { count: 4 })
  let over = 0
  const { code, errors } = await play(['--trace', 'on'], ({ event }, run) => {
    if (event === 'end' && ++over === 4) run.kill('SIGINT')
  })
  expect([0, 130]).toContain(code)
  expect(errors).toEqual(code === 0 ? [] : ONE_LINE)
  expect(report().counts.passed).toBe(4)
  for (const { attempts } of report().scenarios) readFileSync(join(folder, 'out', attempts[0]?.trace ?? 'none'))
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['junit.xml', 'run.json', 'traces'])
})
