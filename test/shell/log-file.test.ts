import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../../src-main/shell/log-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a line is written with its time, in a folder that is made for it', () => {
  const logs = join(temporaryFolder(), 'a/logs')
  openLog(logs, () => 0)('The tray icon could not be shown.')
  expect(readFileSync(join(logs, 'handset.log'), 'utf8')).toBe(
    '1970-01-01T00:00:00.000Z The tray icon could not be shown.\n',
  )
})

test('a large log is put aside, once', () => {
  const logs = temporaryFolder()
  const file = join(logs, 'handset.log')
  writeFileSync(`${file}.old`, 'older')
  writeFileSync(file, Buffer.alloc(1_000_000, 'a'))
  openLog(logs, () => 0)('new')
  expect(statSync(`${file}.old`).size).toBe(1_000_000)
  expect(readFileSync(file, 'utf8')).toMatch(/ new\n$/)
})

test('a log that cannot be written stops nothing', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => openLog(file, () => 0)('lost')).not.toThrow()
})
