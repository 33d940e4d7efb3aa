import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../src-main/shell/log-file.ts'

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'handset-log-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

test('a line is written with its time, in a folder that is made for it', () => {
  const logs = join(folder(), 'a/logs')
  openLog(logs, () => 0)('The tray icon could not be shown.')
  expect(readFileSync(join(logs, 'handset.log'), 'utf8')).toBe(
    '1970-01-01T00:00:00.000Z The tray icon could not be shown.\n',
  )
})

test('a large log is put aside, once', () => {
  const logs = folder()
  const file = join(logs, 'handset.log')
  writeFileSync(`${file}.old`, 'older')
  writeFileSync(file, Buffer.alloc(1_000_000, 'a'))
  openLog(logs, () => 0)('new')
  expect(statSync(`${file}.old`).size).toBe(1_000_000)
  expect(readFileSync(file, 'utf8')).toMatch(/ new\n$/)
})

test('a log that cannot be written stops nothing', () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  expect(() => openLog(file, () => 0)('lost')).not.toThrow()
})
