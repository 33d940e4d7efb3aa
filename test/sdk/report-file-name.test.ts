import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reportFileName } from '../../src-main/sdk/report-file-name.ts'
import { ROOT } from '../support/imports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FAILS = `
import { describe } from 'vitest'
import { test } from ${JSON.stringify(join(ROOT, 'src-main/sdk/vitest.ts'))}
const fail = async ({ workspace, task }) => {
  throw new Error('This is ' + task.id + ' in ' + workspace.id)
}
test('amount < 10', fail)
test('amount > 10', fail)
test('the same title', fail)
test('the same title', fail)
describe('${'a long way to what differs '.repeat(6)}', () => {
  test('one', fail)
  test('two', fail)
})
`

test('each Vitest test that fails leaves files of its own, whatever their titles have in common', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'fails.test.mjs'), FAILS)
  const vitest = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder], {
    cwd: folder,
    stdio: 'ignore',
  })
  expect(await once(vitest, 'close')).toEqual([1, null])
  const pages = readdirSync(join(folder, 'handset-reports')).filter((name) => name.endsWith('.html'))
  const tests = pages.map((name) => /This is (\S+)/.exec(readFileSync(join(folder, 'handset-reports', name), 'utf8')))
  expect(new Set(tests.map((found) => found?.[1])).size).toBe(6)
})

describe('the name of a report’s file', () => {
  test('is the same in each run', () => {
    const about = { title: 'a.test.ts amount < 10', id: '-1_0' }
    expect(reportFileName(about)).toBe(reportFileName(about))
    expect(reportFileName(about)).toMatch(/^a-test-ts-amount-10-[0-9a-f]{8}$/)
  })

  test('fits a file system, in whatever language the title is', () => {
    const name = reportFileName({ title: '用户登录'.repeat(100), id: '-1_0' })
    expect(Buffer.byteLength(name)).toBeLessThan(140)
    expect(name.isWellFormed()).toBe(true)
    expect(reportFileName({ title: '\ud83d tests', id: '-1_0' }).isWellFormed()).toBe(true)
  })
})
