import { fork } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { countBoot } from '../../src-main/service/store/boot-count.ts'
import { openStore, type StoreLocation } from '../../src-main/service/store/open-store.ts'
import type { Rows } from '../../src-main/service/store/records.ts'
import { migrations } from '../../src-main/service/store/sqlite/migrations.ts'
import { tables } from '../../src-main/service/store/tables.ts'
import { messageRecord, rpRecord } from '../support/service/records.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { storeContract } from './store-contract.ts'

const open = async (location: StoreLocation) => {
  const store = await openStore(location)
  if (!store.ok) throw new Error(store.error.code)
  return store.value
}

storeContract('memory', () => open({ kind: 'memory' }))
storeContract('a directory', () => open({ kind: 'directory', path: temporaryFolder() }))

describe('the SQLite tables', () => {
  test('have exactly the columns that the table list names, and a workspace', () => {
    const db = new Database(':memory:')
    for (const migration of migrations) db.exec(migration)
    for (const [name, { columns }] of Object.entries(tables)) {
      const whole = name === 'messages' ? 'whole_messages' : name
      const stored = (db.pragma(`table_info(${whole})`) as { name: string }[]).map((column) => column.name)
      const there = stored.filter((column) => column !== 'rowid')
      expect(there.sort()).toEqual(['workspace', ...columns].sort())
    }
    const named = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[]
    expect(named.filter((name) => !name.startsWith('sqlite_')).sort()).toEqual(
      [...Object.keys(tables), 'workspaces', 'unused_rows', 'verdicts'].sort(),
    )
    db.close()
  })
})

describe('the data directory', () => {
  test('[import.slices] after a crash between two slices has the rows that were there, and soon no others', async () => {
    const [path, copy] = [temporaryFolder(), temporaryFolder()]
    const store = await open({ kind: 'directory', path })
    await store.workspaces.insert({ id: 'main', created_at: 1 })
    await store.rps.insert('main', rpRecord('rp'))
    const before = await store.rows('main')
    const messages = Array.from({ length: 300 }, (_, n) => ({
      ...(messageRecord(`m ${n}`) as unknown as Rows[string][number]),
      verdict: JSON.stringify('x'.repeat(8_000)),
    }))
    const inFile = (folder: string): number => {
      const db = new Database(join(folder, 'handset.db'))
      const rows = db.prepare('SELECT count(*) FROM messages').pluck().get()
      db.close()
      return Number(rows)
    }
    let copied = 0
    const replaced = store.replaceRows('main', { ...before, messages })
    while (copied === 0) {
      await new Promise((resolve) => setImmediate(resolve))
      for (const file of ['handset.db', 'handset.db-wal']) copyFileSync(join(path, file), join(copy, file))
      copied = inFile(copy)
    }
    expect(copied).toBeLessThan(messages.length)
    expect((await replaced).ok).toBe(true)
    await store.close()
    const again = await open({ kind: 'directory', path: copy })
    expect(await again.rows('main')).toEqual(before)
    await expect.poll(() => inFile(copy)).toBe(0)
    await again.close()
  })

  test.skipIf(process.platform === 'win32')(
    'keeps secrets from others even in a folder that they may read',
    async () => {
      const path = temporaryFolder()
      chmodSync(path, 0o755)
      writeFileSync(join(path, 'handset.db'), '', { mode: 0o644 })
      const store = await open({ kind: 'directory', path })
      await store.rps.insert('main', rpRecord('a'))
      const modes = ['handset.db', 'handset.db-wal'].map((file) => statSync(join(path, file)).mode & 0o777)
      await store.close()
      expect(modes).toEqual([0o600, 0o600])
    },
  )

  test.skipIf(process.platform === 'win32')(
    '[store.owner-only] has only files of its owner, whatever the umask is and whatever lay there before',
    async () => {
      const path = temporaryFolder()
      writeFileSync(join(path, 'boots'), '3\n', { mode: 0o666 })
      const before = process.umask(0)
      try {
        const store = await open({ kind: 'directory', path })
        expect(countBoot(path)).toBe(3)
        await store.rps.insert('main', rpRecord('a'))
        const wide = readdirSync(path).filter((file) => (statSync(join(path, file)).mode & 0o777) !== 0o600)
        await store.close()
        expect(wide).toEqual([])
      } finally {
        process.umask(before)
      }
    },
  )

  test('is made where there is none, for its user only', async () => {
    const path = join(temporaryFolder(), 'deep', 'below')
    const store = await open({ kind: 'directory', path })
    await store.close()
    expect(readFileSync(join(path, 'version'), 'utf8')).toBe('1\n')
  })

  test('[cli.data-in-use] in use names its holder', async () => {
    const path = temporaryFolder()
    const store = await open({ kind: 'directory', path })
    const second = await openStore({ kind: 'directory', path })
    const since = expect.stringMatching(/^\d{4}-/)
    const params = { path, pid: String(process.pid), since }
    expect(second).toEqual({ ok: false, error: { code: 'directory_in_use', params } })
    await store.close()
    await (await open({ kind: 'directory', path })).close()
  })

  test('[cli.newer] written by a newer version is refused untouched', async () => {
    const path = temporaryFolder()
    writeFileSync(join(path, 'version'), '99\n')
    const refused = await openStore({ kind: 'directory', path })
    expect(refused).toEqual({
      ok: false,
      error: { code: 'directory_newer', params: { version: 99, known: 1 } },
    })
    expect(readdirSync(path)).toEqual(['version'])
  })

  test('[cli.newer] with a database of a newer version is refused, its rows untouched', async () => {
    const path = temporaryFolder()
    await (await open({ kind: 'directory', path })).close()
    const db = new Database(join(path, 'handset.db'))
    db.pragma('user_version = 99')
    db.close()
    const before = readFileSync(join(path, 'handset.db'))
    const refused = await openStore({ kind: 'directory', path })
    expect(refused).toMatchObject({ ok: false, error: { code: 'database_newer', params: { version: 99 } } })
    expect(readFileSync(join(path, 'handset.db')).equals(before)).toBe(true)
  })

  test('with a version that is no number is refused', async () => {
    const path = temporaryFolder()
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'version'), 'dragons')
    const error = { code: 'no_version_in', params: { file: join(path, 'version') } }
    expect(await openStore({ kind: 'directory', path })).toEqual({ ok: false, error })
  })
})

describe('a process that is killed', () => {
  const writer = new URL('../support/service/killed-writer.ts', import.meta.url)

  test('loses nothing it was told is written, and its lock with its life', async () => {
    const path = temporaryFolder()
    const child = fork(writer, [path], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    let told = -1
    child.on('message', (n) => {
      told = Number(n)
      if (told === 200) child.kill('SIGKILL')
    })
    await new Promise((resolve) => child.on('close', resolve))
    expect(told).toBeGreaterThanOrEqual(200)
    const store = await open({ kind: 'directory', path })
    for (let n = 0; n <= told; n++) expect(await store.messages.get('main', `m${n}`)).toEqual(messageRecord(`m${n}`))
    expect(await store.messages.deliver('main', 'm0', 1)).toBe(false)
    await store.close()
  })
})
