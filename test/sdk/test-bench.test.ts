import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { benchForTests } from '../../src-main/sdk/test-fixtures.ts'
import { ROOT } from '../support/imports.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What the fixtures make of their variables. */
const bench = benchOfFile()

const fileWith = (text: string): string => {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, text)
  return path
}

test('the bench of the tests is the one that the variables name, with the token in a file, whatever is empty', async () => {
  const { controlUrl, token } = bench.bench
  const kept = fileWith(`${token}\n`)
  const named = { HANDSET_CONTROL_URL: controlUrl, HANDSET_TOKEN_FILE: kept, HANDSET_TOKEN: 'no', HANDSET_CA: '' }
  expect((await benchForTests(named)).token).toBe(token)
  const plain = await benchForTests({ ...named, HANDSET_TOKEN_FILE: '', HANDSET_TOKEN: token })
  expect(plain.controlUrl).toBe(controlUrl)
})

test('the bench of the tests is one of its own where HANDSET_CONTROL_URL is empty', async () => {
  const own = await benchForTests({ HANDSET_CONTROL_URL: '' })
  onTestFinished(() => own.close())
  expect(own.controlUrl).not.toBe(bench.bench.controlUrl)
})

test.each([
  ['without a token', () => ({}), 'no_token', /HANDSET_TOKEN or HANDSET_TOKEN_FILE/],
  ['with an empty token', () => ({ HANDSET_TOKEN: '' }), 'no_token', /HANDSET_TOKEN or HANDSET_TOKEN_FILE/],
  ['without its file', () => ({ HANDSET_TOKEN_FILE: '/gone' }), 'unreadable_file', /_TOKEN_FILE.*\/gone/],
  ['with a folder', () => ({ HANDSET_TOKEN_FILE: temporaryFolder() }), 'unreadable_file', /HANDSET_TOKEN_FILE/],
  ['with an empty file', () => ({ HANDSET_TOKEN_FILE: fileWith('\n') }), 'unreadable_file', /_TOKEN_FILE.*empty/],
  ['without a CA', () => ({ HANDSET_TOKEN: 'x', HANDSET_CA: '/gone' }), 'unreadable_file', /_CA.*\/gone/],
  ['with a CA that is none', () => ({ HANDSET_TOKEN: 'x', HANDSET_CA: fileWith('x') }), 'wrong_ca', /PEM/],
] as const)('the bench of the tests is told to be misnamed %s', async (_, env, code, message) => {
  const failure = benchForTests({ HANDSET_CONTROL_URL: bench.bench.controlUrl, ...env() })
  await expect(failure).rejects.toMatchObject({ name: 'HandsetError', code })
  await expect(failure).rejects.toThrow(message)
})

test('the errors of no other class are made in one place, whose codes the docs list', () => {
  const folder = join(ROOT, 'src-main/sdk')
  const makers = readdirSync(folder).filter((name) =>
    readFileSync(join(folder, name), 'utf8').includes('new HandsetError('),
  )
  expect(makers).toEqual(['errors.ts'])
})
