import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../src-main/service/store/sqlite/migrations.ts'
import { startTestBench } from '../support/bench.ts'
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

test('[cli.admin] what the command line cannot mean is refused with exit code 2', async () => {
  for (const args of [
    ['admin'],
    ['admin', 'drop'],
    ['admin', 'migrate'],
    ['admin', 'migrate', '--store', 'nonsense'],
    ['admin', 'migrate', 'x', '--data', '/y'],
  ]) {
    expect((await runCommand(args)).code, args.join(' ')).toBe(2)
  }
})
