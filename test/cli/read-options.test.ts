import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveOptions } from '../../src-main/cli/option-tables/serving-options.ts'
import { readOptions } from '../../src-main/cli/read-options.ts'
import { parseStart } from '../../src-main/cli/start-options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const read = (args: readonly string[], env: Record<string, string> = {}) => {
  const result = readOptions(serveOptions, args, env)
  return result.ok ? result.value.options : result.error
}

test('[cli.environment] every option may come from the environment: values, switches, and what is given often', () => {
  const env = { HANDSET_RP_ID: 'shop.example', HANDSET_JSON: '1', HANDSET_OPEN: '0', HANDSET_PORT: '' }
  expect(read([], env)).toEqual({ 'rp-id': 'shop.example', json: true })
  const origins = { HANDSET_ORIGIN: 'https://a.example, https://b.example' }
  expect(read([], origins)).toEqual({ origin: ['https://a.example', 'https://b.example'] })
})

test('[cli.environment] the command line goes before the environment, the environment before the file', () => {
  const path = join(temporaryFolder(), 'bench.yaml')
  writeFileSync(path, 'seed: 1\n')
  const seed = (args: readonly string[], env: Record<string, string>) => {
    const wanted = parseStart(['--memory', ...args], { env, platform: 'linux' })
    return wanted.ok ? wanted.value.seed : wanted.error
  }
  const config = { HANDSET_CONFIG: path }
  expect(seed([], {})).toBeUndefined()
  expect(seed([], config)).toBe(1)
  expect(seed([], { ...config, HANDSET_SEED: '2' })).toBe(2)
  expect(seed(['--seed', '3'], { ...config, HANDSET_SEED: '2' })).toBe(3)
})

test('[cli.environment] an option hides the variable that it excludes', () => {
  expect(read(['--memory'], { HANDSET_DATA: 'x' })).toEqual({ memory: true })
  expect(read(['--access-key', 'a:b'], { HANDSET_ACCESS_KEY_FILE: '/no/such' })).toEqual({ 'access-key': 'a:b' })
})

test.each([
  [{ HANDSET_PROT: '1' }, 'there is no variable HANDSET_PROT. Did you mean HANDSET_PORT?'],
  [{ HANDSET_DATA: 'x', HANDSET_MEMORY: '1' }, 'HANDSET_DATA and HANDSET_MEMORY exclude each other.'],
  [
    { HANDSET_ACCESS_KEY: 'a:b', HANDSET_ACCESS_KEY_FILE: 'f' },
    'HANDSET_ACCESS_KEY and HANDSET_ACCESS_KEY_FILE exclude each other.',
  ],
  [{ HANDSET_JSON: 'please' }, 'HANDSET_JSON must be 1 or 0; got "please".'],
  [{ HANDSET_ACCESS_KEY_FILE: '/no/such' }, 'HANDSET_ACCESS_KEY_FILE: there is no file /no/such.'],
])('[cli.environment] %j is refused in one line', (env: Record<string, string>, line) => {
  expect(read([], env)).toBe(line)
})

test('[cli.environment] a bad value is named as it was given', () => {
  const wanted = parseStart(['--memory'], { env: { HANDSET_PORT: 'x' }, platform: 'linux' })
  expect(wanted).toEqual({ ok: false, error: 'HANDSET_PORT must be a whole number from 0 to 65535; got "x".' })
})

test('variables of other commands, of the tests and of other programs are left alone', () => {
  expect(
    read([], { HANDSET_CONTROL_URL: 'u', HANDSET_BROWSER: 'b', HANDSET_TEST_HOST: 'electron', PORT: '1' }),
  ).toEqual({})
})

test('[cli.secrets] a secret is read from a file, without the end of its line and the mark of its encoding', () => {
  const path = join(temporaryFolder(), 'key')
  for (const end of ['', '\n', '\r\n']) {
    writeFileSync(path, `${end === '' ? '' : '\ufeff'}k1:s:1 ${end}`)
    expect(read(['--access-key-file', path])).toEqual({ 'access-key': 'k1:s:1 ' })
    expect(read([], { HANDSET_ACCESS_KEY_FILE: path })).toEqual({ 'access-key': 'k1:s:1 ' })
  }
})

test.each([
  ['empty', '\n', 'is empty.'],
  ['of two lines', 'k1:tell-nobody\nmore\n', 'must hold one line, the secret.'],
  ['enormous', 'tell-nobody'.repeat(10_000), 'must hold one line, the secret.'],
])('[cli.secrets] a file that is %s is refused without telling what is in it', (_, text, problem) => {
  const path = join(temporaryFolder(), 'key')
  writeFileSync(path, text)
  expect(read(['--access-key-file', path])).toBe(`--access-key-file: ${path} ${problem}`)
})

test('[cli.secrets] a folder in the file’s place is one line, and so is the secret given twice', () => {
  const path = join(temporaryFolder(), 'key')
  mkdirSync(path)
  expect(read(['--access-key-file', path])).toBe(`--access-key-file: ${path} is a folder; name a file.`)
  const both = read(['--access-key-file', path, '--access-key', 'a:b'])
  expect(both).toBe('--access-key-file and --access-key exclude each other.')
})
