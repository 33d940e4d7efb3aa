import { spawn } from 'node:child_process'
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { allBlocks } from '../docs/code-blocks.ts'
import { findBrowser } from '../support/browser.mjs'
import { ROOT } from '../support/imports.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const { folder: installed, tarball } = inject('installed')
const scratch = folderOfFile()

const blockOf = (role: string): string => {
  const block = allBlocks.find((one) => one.page === 'docs/using/ci.md' && one.role === role)
  if (block === undefined) throw new Error(`There is no recipe "${role}".`)
  return block.text
}

/** A sign-in through the bench that the variables name, as a project's `npm test`; it fails where it is told to. */
const TESTS = `
import { connectHandset } from 'handset'
import { createRp } from 'handset/rp'
const { HANDSET_CONTROL_URL: controlUrl, HANDSET_TOKEN: token, FIDO_BASE_URL, FIDO_ACCESS_KEY_ID, FIDO_SECRET_KEY, FAIL } = process.env
const handset = await connectHandset({ controlUrl, token })
const rp = createRp({ baseUrl: FIDO_BASE_URL, accessKeyId: FIDO_ACCESS_KEY_ID, secretKey: FIDO_SECRET_KEY })
const phone = await handset.phone()
const message = await rp.register({ user_id: 'u-1', username: 'alice', display_name: 'Alice' })
await phone.scan(message.url)
await phone.approve()
await message.verified({ intervalMs: 50 })
console.log('registered')
process.exit(FAIL ? 1 : 0)
`

/** Somebody's project, with the package in it and in its lock file. */
const makeProject = (name: string): string => {
  const project = join(scratch, name)
  cpSync(installed, project, { recursive: true, verbatimSymlinks: true })
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ ...manifest, scripts: { test: 'node tests.mjs' } }))
  writeFileSync(join(project, 'tests.mjs'), TESTS)
  return project
}

type Env = Readonly<Record<string, string | undefined>>

const run = async (program: string, args: readonly string[], cwd: string, own: Env = {}) => {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_prefer_offline: 'true', ...own }
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ])
  return { out, errors, code }
}

/** Its process may wait for its parent to notice; its port is free when it has ended. */
const answers = (address: string): Promise<boolean> =>
  fetch(`${new URL(address).origin}/healthz`).then(
    () => true,
    () => false,
  )
const hasEnded = (address: string) => expect.poll(() => answers(address)).toBe(false)

/** What a browser shows of the file that a job keeps. */
const expectReport = async (file: string): Promise<void> => {
  expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>/)
  const executablePath = findBrowser()
  if (executablePath === undefined) return
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
  try {
    const page = await browser.newPage()
    await page.goto(pathToFileURL(file).href)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await page.locator('[data-part="timeline"]').waitFor()
  } finally {
    await browser.close()
  }
}

const shell = (commands: string, cwd: string, own?: Env) => run('sh', ['-ec', commands], cwd, own)

const recipes = [
  ['GitLab', parse(blockOf('gitlab'))['sign-in'].script.join('\n')],
  ['Jenkins', /sh '''\n([\s\S]*?)'''/.exec(blockOf('jenkinsfile'))?.[1] ?? ''],
] as const

describe.each(recipes)('the recipe for %s', (name, commands) => {
  test.each([
    ['signs in and ends', {}, 0],
    ['is red when a test is, and leaves a report', { FAIL: '1' }, 1],
  ])('%s', async (title, own, wanted) => {
    const project = makeProject(`${name}-${wanted}`)
    const { out, errors, code } = await shell(commands, project, own)
    expect(code, `${title}\n${out}${errors}`).toBe(wanted)
    expect(out).toContain('registered')
    await expectReport(join(project, 'handset-report.html'))
    expect(statSync(join(project, 'handset.log')).size).toBeGreaterThan(0)
    await hasEnded(JSON.parse(readFileSync(join(project, 'handset.json'), 'utf8')).base_url)
  })
})

const job = parse(blockOf('workflow')).jobs.test
const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'))
const step = job.steps.find(({ id }: { id?: string }) => id === 'handset')

/** As a runner calls it: inputs and files by the environment. */
const act = async (script: string, own: Env) => {
  const files = ['OUTPUT', 'ENV', 'STATE'].map((file) => [`GITHUB_${file}`, join(scratch, file)] as const)
  for (const [, file] of files) writeFileSync(file, '')
  const env = { RUNNER_TEMP: scratch, ...Object.fromEntries(files), ...own }
  const done = await run(process.execPath, [join(ROOT, script)], scratch, env)
  const told = (file: string): Record<string, string> => {
    const lines = readFileSync(join(scratch, file), 'utf8').split('\n').filter(Boolean)
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
  }
  return { ...done, outputs: told('OUTPUT'), variables: told('ENV'), state: told('STATE') }
}

const inputs = (own: Readonly<Record<string, string>>): Env => {
  const all = Object.entries<{ default?: string }>(action.inputs).map(([name, { default: preset }]) => [name, preset])
  const given = { ...Object.fromEntries(all), ...own, version: tarball }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, String(value)]),
  )
}

test('the action: the workflow gives it only inputs that it has, and reads only outputs that it has', () => {
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)))
  const read = [...blockOf('workflow').matchAll(/steps\.handset\.outputs\.(\w+)/g)].map(([, name]) => name)
  expect(Object.keys(action.outputs)).toEqual(expect.arrayContaining(read))
})

test('the action: it starts a bench for the steps of the workflow, hides its secrets, and stops it', async () => {
  const started = await act(action.runs.main, inputs(step.with))
  expect(started.code, started.out + started.errors).toBe(0)
  const { variables, outputs, state } = started
  for (const secret of [variables.HANDSET_TOKEN, variables.FIDO_SECRET_KEY]) {
    expect(started.out.split('\n').filter((line) => secret && line.includes(secret))).toEqual([`::add-mask::${secret}`])
  }
  expect(Object.values(outputs)).not.toContain(variables.HANDSET_TOKEN)
  expect(Object.keys(outputs).toSorted()).toEqual(Object.keys(action.outputs).toSorted())
  const project = makeProject('github')
  const commands = job.steps.flatMap(({ run: command }: { run?: string }) => command ?? [])
  for (const command of commands) {
    const { code, out, errors } = await shell(command, project, variables)
    expect(code, `${command}\n${out}${errors}`).toBe(0)
  }
  await expectReport(join(project, 'handset-report.html'))
  expect(readFileSync(String(outputs.log), 'utf8')).toContain('control request')
  const kept = Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]))
  expect((await act(action.runs.post, kept)).code).toBe(0)
  await hasEnded(String(outputs.base_url))
  expect((await act(action.runs.post, kept)).code).toBe(0)
})

test('the action: over https it tells where the CA is', async () => {
  const { variables, outputs, state, code, errors } = await act(action.runs.main, inputs({ options: '--tls' }))
  expect(code, errors).toBe(0)
  expect(variables.HANDSET_CONTROL_URL).toMatch(/^https:/)
  expect(readFileSync(String(outputs.ca), 'utf8')).toContain('BEGIN CERTIFICATE')
  const asked = await shell(
    'curl -sS --fail --cacert "$HANDSET_CA" "$HANDSET_CONTROL_URL/openapi.json"',
    scratch,
    variables,
  )
  expect(asked.code, asked.errors).toBe(0)
  await act(action.runs.post, { STATE_pid: state.pid, STATE_log: state.log })
})

test('the action: what is wrong with the options is said, and the step fails', async () => {
  const { code, errors, variables } = await act(action.runs.main, inputs({ options: '--no-such-option' }))
  expect(code).toBe(1)
  expect(errors).toContain('--no-such-option')
  expect(variables).toEqual({})
})
