import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openResultsFolder } from '../../src-main/cli/run/results-folder.ts'
import { writeWhole } from '../../src-main/cli/write-whole.ts'
import { connectHandset } from '../../src-main/sdk/index.ts'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { pushSignIn } from '../support/push-sign-in.ts'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ALICE = { user_id: 'u-1', username: 'alice' }
let here: TestBench
let there: TestBench
beforeAll(async () => {
  here = await startTestBench()
  there = await startTestBench()
})
afterAll(() => Promise.all([here.close(), there.close()]))

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

test.skipIf(process.platform === 'win32')(
  '[cli.backup] a file is never written through a link that lies beside it',
  async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'backup.gz')
    const theirs = join(folder, 'theirs')
    const writers = [
      () => runCommand(['backup', file], here.bench),
      async () => writeWhole(file, 'whole'),
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
  },
)

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

test('[cli.backup] what the command line cannot mean is refused with exit code 2, what is not there with 1', async () => {
  for (const args of [['backup'], ['backup', 'a', 'b'], ['restore'], ['restore', 'a', 'b']]) {
    expect((await runCommand(args, here.bench)).code, args.join(' ')).toBe(2)
  }
  expect((await runCommand(['backup', join(temporaryFolder(), 'x'), '--workspace', 'nowhere'], here.bench)).code).toBe(
    1,
  )
  expect((await runCommand(['restore', join(temporaryFolder(), 'missing')], here.bench)).code).toBe(1)
})
