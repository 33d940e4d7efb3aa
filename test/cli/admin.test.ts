import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openResultsFolder } from '../../src-main/cli/run/results-folder.ts'
import { writeWholeFile } from '../../src-main/cli/write-whole.ts'
import { createControlClient } from '../../src-main/sdk/client.ts'
import { connectHandset } from '../../src-main/sdk/index.ts'
import { migrations } from '../../src-main/service/store/sqlite/migrations.ts'
import { codeOf, startTestBench } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { pushSignIn } from '../support/push-sign-in.ts'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KNOWN = migrations.length

const migrate = async (args: readonly string[]) => {
  const { code, out, errors } = await runCommand(['admin', 'migrate', '--json', ...args])
  return { code, told: out === '' ? undefined : JSON.parse(out), errors }
}

const setVersion = (folder: string, version: number): void => {
  const db = new Database(join(folder, 'handset.db'))
  db.pragma(`user_version = ${version}`)
  db.close()
}

test('[cli.admin] --dry-run shows the versions and makes nothing; without it the directory is brought up to date', async () => {
  const data = join(temporaryFolder(), 'data')
  const before = { version: 0, program: KNOWN, migrated: false }
  expect(await migrate(['--data', data, '--dry-run'])).toEqual({ code: 0, told: before, errors: [] })
  expect(await migrate(['--data', data, '--dry-run'])).toEqual({ code: 0, told: before, errors: [] })
  expect(await migrate(['--data', data])).toEqual({ code: 0, told: { ...before, migrated: true }, errors: [] })
  const done = { version: KNOWN, program: KNOWN, migrated: false }
  expect(await migrate(['--data', data])).toEqual({ code: 0, told: done, errors: [] })
})

test('[cli.admin] what a newer version has migrated is refused untouched', async () => {
  const data = join(temporaryFolder(), 'data')
  await migrate(['--data', data])
  setVersion(data, KNOWN + 1)
  for (const more of [[], ['--dry-run']]) {
    const { code, errors } = await migrate(['--data', data, ...more])
    expect({ code, lines: errors.length }).toEqual({ code: 1, lines: 1 })
  }
})

test('[cli.admin] a directory that a bench uses is not migrated beneath it', async () => {
  const data = join(temporaryFolder(), 'data')
  const bench = await startTestBench({ data })
  onTestFinished(() => bench.close())
  expect(await migrate(['--data', data, '--dry-run'])).toMatchObject({ code: 0, told: { version: KNOWN } })
  setVersion(data, KNOWN - 1)
  expect(await migrate(['--data', data])).toMatchObject({ code: 1 })
})

const bench = benchOfFile()
beforeAll(async () => {
  for (const id of ['ci', 'other']) await bench.client.call('workspaces.create', { body: { id } })
})

const token = (args: readonly string[], secret = bench.bench.token) =>
  runCommand(['token', ...args], { ...bench.bench, token: secret })

test('[cli.token] new prints the token alone, list names it without its secret, revoke ends it', async () => {
  const limits = ['--may-open', '2', '--most-phones', '5']
  const made = await token(['new', '--workspace', 'ci,other', '--name', 'nightly', ...limits])
  expect({ code: made.code, errors: made.errors }).toEqual({ code: 0, errors: [] })
  const client = createControlClient({ controlUrl: bench.bench.controlUrl, token: made.out })
  expect((await client.call('workspaces.list')).workspaces.map(({ id }) => id)).toEqual(['ci', 'other'])
  const [id = '', hidden = ''] = made.out.split('.')
  const listed = await token(['list'])
  expect(listed.out).toContain(id)
  expect(listed.out).toContain('nightly')
  expect(listed.out).not.toContain(hidden)
  const { tokens } = JSON.parse((await token(['list', '--json'])).out)
  expect(tokens).toMatchObject([
    { id, workspaces: ['ci', 'other'], may_open: 2, quota: { phones: 5 }, reveal_secrets: false },
  ])
  expect((await token(['list'], made.out)).code).toBe(1)
  expect((await token(['revoke', id])).code).toBe(0)
  expect(await codeOf(client.call('bench.info'))).toBe(40111)
  expect((await token(['revoke', id])).code).toBe(1)
})

test.each([
  ...[['admin'], ['admin', 'drop'], ['admin', 'migrate'], ['admin', 'migrate', '--store', 'nonsense']],
  ['admin', 'migrate', 'x', '--data', '/y'],
  ...[
    ['token', 'make'],
    ['token', 'revoke'],
    ['token', 'list', 'tok_1'],
    ['token', 'new', '--may-open', 'many'],
  ],
  ['token', 'new', '--workspace', 'Not An Id'],
  ...[['backup'], ['backup', 'a', 'b'], ['restore'], ['restore', 'a', 'b']],
])('[cli.admin] [cli.token] [cli.backup] %s %s %s is refused with one line and exit code 2', async (...args) => {
  const { code, errors } = await runCommand(args, args[0] === 'admin' ? undefined : bench.bench)
  expect({ code, lines: errors.join('\n').split('\n').length }).toEqual({ code: 2, lines: 1 })
})

const ALICE = { user_id: 'u-1', username: 'alice' }
const here = benchOfFile()
const there = benchOfFile()

const backedUp = async (workspace: string): Promise<string> => {
  const file = join(temporaryFolder(), 'backup.gz')
  expect(await runCommand(['backup', file, '--workspace', workspace], here.bench)).toMatchObject({
    code: 0,
    errors: [],
  })
  return file
}

test('[cli.backup] a workspace is put back on another bench under another id, with its labels, and its user signs in there', async () => {
  const handset = await connectHandset(here.bench)
  const shop = await handset.workspace({ id: 'shop', labels: ['nightly'], quota: { phones: 5 } })
  await shop.phone({ name: 'Alice', passkeys: [ALICE] })
  const file = await backedUp('shop')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  const restored = await runCommand(['restore', file, '--workspace', 'copy'], there.bench)
  expect(restored).toMatchObject({ code: 0, errors: [] })
  const state = await there.client.call('workspaces.get', { params: { id: 'copy' } })
  expect(state).toMatchObject({ labels: ['nightly'], quota: { phones: 5 } })
  expect(await pushSignIn(there.bench, { workspace: 'copy', user: ALICE })).toMatchObject({ status: 'success' })
})

test.skipIf(process.platform === 'win32')('[cli.backup] no file is written through a link beside it', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'backup.gz')
  const theirs = join(folder, 'theirs')
  const writers = [
    () => runCommand(['backup', file], here.bench),
    async () => writeWholeFile(file, 'whole'),
    async () => openResultsFolder(folder).prepare(),
  ]
  for (const write of writers) {
    writeFileSync(theirs, 'theirs')
    for (const draft of ['backup.gz.new', `.handset.${process.pid}.new`]) {
      rmSync(join(folder, draft), { force: true })
      symlinkSync(theirs, join(folder, draft))
    }
    await write()
    expect(readFileSync(theirs, 'utf8')).toBe('theirs')
    expect(statSync(theirs).mode & 0o777).not.toBe(0o600)
  }
})

test('[cli.backup] a workspace that is there is replaced only when that is said', async () => {
  const file = await backedUp('main')
  await here.client.call('phones.create', { body: { name: 'Later' } })
  expect((await runCommand(['restore', file], here.bench)).code).toBe(1)
  expect((await here.client.call('phones.list')).phones).toHaveLength(1)
  expect(await runCommand(['restore', file, '--replace'], here.bench)).toMatchObject({ code: 0, errors: [] })
  expect((await here.client.call('phones.list')).phones).toHaveLength(0)
})

test('[cli.backup] a file that is none, or damaged, changes nothing and leaves no workspace behind', async () => {
  const folder = temporaryFolder()
  const good = JSON.parse(gunzipSync(readFileSync(await backedUp('main'))).toString())
  const files: Readonly<Record<string, Uint8Array>> = {
    'no-gzip': Buffer.from('{}'),
    'no-json': gzipSync('not json'),
    'no-backup': gzipSync('{}'),
    newer: gzipSync(JSON.stringify({ ...good, version: 2 })),
    cut: gzipSync(JSON.stringify(good)).subarray(0, 100),
    rows: gzipSync(JSON.stringify({ ...good, content: { ...good.content, service: { format: 'x' } } })),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const file = join(folder, name)
    writeFileSync(file, bytes)
    const { code, errors } = await runCommand(['restore', file, '--workspace', 'fresh'], there.bench)
    expect({ name, code, lines: errors.join('\n').split('\n').length }).toEqual({ name, code: 1, lines: 1 })
  }
  expect((await there.client.call('bench.info')).workspaces).not.toContain('fresh')
})

test('[cli.backup] what is not there is exit code 1', async () => {
  const file = join(temporaryFolder(), 'x')
  expect((await runCommand(['backup', file, '--workspace', 'nowhere'], here.bench)).code).toBe(1)
  expect((await runCommand(['restore', file], here.bench)).code).toBe(1)
})
