import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTrustStore } from '../../src-main/bench/tls/trust-store.ts'
import { parseBenchOptions, parseStart, readConfig } from '../../src-main/cli/bench-options.ts'
import { untilEnd } from '../../src-main/cli/command-end.ts'
import { OPTIONS, type OptionTable, serveOptions } from '../../src-main/cli/options.ts'
import { parseArguments, readOptions, withDefaults } from '../../src-main/cli/read-options.ts'
import { parseTlsOptions, parseTraceOptions, writeAuthority } from '../../src-main/cli/serve.ts'
import { importsOf, ROOT, targetOf } from '../support/imports.ts'
import { refused } from '../support/taken.ts'
import { folderOfFile, temporaryFolder } from '../support/temporary-folder.ts'
import { certificateFor } from '../support/tls.ts'

const table = {
  port: { value: 'PORT', help: '' },
  origin: { value: 'URL', many: true, help: '' },
  json: { help: '' },
  filter: { value: 'TEXT', short: 'f', help: '' },
  tag: { value: 'TAG', many: true, commas: true, short: 't', help: '' },
  list: { short: 'l', help: '' },
} as const

const parse = (...args: string[]) => untilEnd(() => parseArguments(table, args))

test.each([
  ['a value after a space', ['--port', '1'], { port: '1' }, []],
  ['a value after an equals sign', ['--port=1=2'], { port: '1=2' }, []],
  ['all values of what may come often', ['--origin', 'a', '--origin=b'], { origin: ['a', 'b'] }, []],
  ['a value after a letter', ['-f', 'a', '-tb'], { filter: 'a', tag: ['b'] }, []],
  ['a switch by its letter', ['-l'], { list: true }, []],
  [
    'several values with commas',
    ['--tag', 'a,b', '--tag=c', '--origin', 'x,y'],
    { tag: ['a', 'b', 'c'], origin: ['x,y'] },
    [],
  ],
  ['what is no option or follows --', ['a', '--json', '-', '--', '--port'], { json: true }, ['a', '-', '--port']],
])('%s is read', (_, args, options, positionals) => {
  expect(parse(...args)).toEqual({ ok: true, value: { options, positionals } })
})

test.each([
  [['--prot', '1'], 'unknown option --prot. Did you mean --port?'],
  [['--constructor'], 'unknown option --constructor.'],
  [['-p', '1'], 'unknown option -p.'],
  [['--f', 'x'], 'unknown option --f.'],
  [['--grep', 'x'], 'unknown option --grep. Did you mean --filter?'],
  [['--bail'], 'unknown option --bail.'],
  [['-f'], '--filter needs a value: --filter TEXT'],
  [['--port'], '--port needs a value: --port PORT'],
  [['--port='], '--port needs a value: --port PORT'],
  [['--port', '--json'], '--port needs a value: --port PORT'],
  [['--port', '1', '--port', '2'], '--port is given twice.'],
  [['--json=yes'], '--json takes no value.'],
])('%j is refused in one sentence', (args, sentence) => {
  expect(parse(...args)).toEqual({ ok: false, error: sentence })
})

const read = (args: readonly string[], env: Record<string, string> = {}) => {
  const result = untilEnd(() => readOptions(serveOptions, args, env))
  return result.ok ? result.value.options : result.error
}

const usual = withDefaults(serveOptions, {}, String)

test('[cli.environment] every option may come from the environment: values, switches, and what is given often', () => {
  const env = { HANDSET_RP_ID: 'shop.example', HANDSET_JSON: '1', HANDSET_OPEN: '0', HANDSET_PORT: '' }
  expect(read([], env)).toEqual({ ...usual, 'rp-id': 'shop.example', json: true })
  const origins = { HANDSET_ORIGIN: 'https://a.example, https://b.example' }
  expect(read([], origins)).toEqual({ ...usual, origin: ['https://a.example', 'https://b.example'] })
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
  expect(read(['--memory'], { HANDSET_DATA: 'x' })).toEqual({ ...usual, memory: true })
  expect(read(['--access-key', 'a:b'], { HANDSET_ACCESS_KEY_FILE: '/no/such' })).toEqual({
    ...usual,
    'access-key': 'a:b',
  })
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

const numbers = Object.entries<OptionTable>(OPTIONS).flatMap(([command, table]) =>
  Object.entries(table).flatMap(([name, { whole, usual }]) =>
    whole === undefined ? [] : [{ command, table, name, whole: { ...whole, usual } }],
  ),
)

test.each(numbers)('[cli.options] $command --$name takes whole numbers within its limits', ({ table, name, whole }) => {
  const given = (text: string) => untilEnd(() => readOptions(table, [`--${name}=${text}`], {}))
  for (const number of [whole.least, whole.most])
    expect(given(String(number))).toMatchObject({ ok: true, value: { options: { [name]: number } } })
  for (const text of [String(whole.least - 1), String(whole.most + 1), 'x', '1e1', '1.5'])
    expect(given(text)).toEqual({ ok: false, error: expect.stringContaining(`--${name} must be a whole number`) })
  const { options }: { readonly options: object } = readOptions(table, [], {})
  expect(name in options ? options[name as never] : undefined).toBe(whole.usual)
})

test('[cli.environment] a bad value is named as it was given', () => {
  const wanted = parseStart(['--memory'], { env: { HANDSET_PORT: 'x' }, platform: 'linux' })
  expect(wanted).toEqual({ ok: false, error: 'HANDSET_PORT must be a whole number from 0 to 65535; got "x".' })
})

test('variables of other commands, of the tests and of other programs are left alone', () => {
  expect(
    read([], { HANDSET_CONTROL_URL: 'u', HANDSET_BROWSER: 'b', HANDSET_TEST_HOST: 'electron', PORT: '1' }),
  ).toEqual(usual)
})

test('[cli.secrets] a secret is read from a file, without the end of its line and the mark of its encoding', () => {
  const path = join(temporaryFolder(), 'key')
  for (const end of ['', '\n', '\r\n']) {
    writeFileSync(path, `${end === '' ? '' : '\ufeff'}k1:s:1 ${end}`)
    expect(read(['--access-key-file', path])).toEqual({ ...usual, 'access-key': 'k1:s:1 ' })
    expect(read([], { HANDSET_ACCESS_KEY_FILE: path })).toEqual({ ...usual, 'access-key': 'k1:s:1 ' })
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

const phonesAfter = (...args: string[]) => {
  const wanted = parseStart(args, { env: {}, platform: 'linux' })
  return wanted.ok ? wanted.value.seedData.phones.map(({ name }) => name) : wanted.error
}

test('a bench in memory begins with Alice’s phone, and so does a data directory that is new or not there yet', () => {
  const path = temporaryFolder()
  for (const args of [['--memory'], ['--data', path], ['--data', join(path, 'later')]])
    expect(phonesAfter(...args)).toEqual(['Alice'])
})

test('a bench that was started before keeps the phones it has, and those of a configuration file stand alone', () => {
  const path = temporaryFolder()
  writeFileSync(join(path, 'handset.db'), '')
  expect(phonesAfter('--data', path)).toEqual([])
  writeFileSync(join(path, 'bench.yaml'), 'phones:\n  - name: Bo\n')
  expect(phonesAfter('--memory', '--config', join(path, 'bench.yaml'))).toEqual(['Bo'])
})

const folder = folderOfFile()
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const { authority, server } = certificateFor()
const cert = file('cert.pem', server.certificate)
const key = file('key.pem', server.key)
const otherKey = file('other-key.pem', certificateFor().server.key)
const named = (option: string): string => `--${option}`

test('[cli.tls] --tls: https comes with a certificate that is made, or with one that is given', () => {
  expect(parseTlsOptions({}, named)).toEqual({})
  expect(parseTlsOptions({ tls: true }, named)).toEqual({ tls: 'generated' })
  expect(parseTlsOptions({ 'tls-cert': cert, 'tls-key': key }, named)).toEqual({ tls: server })
})

test.each([
  ['a certificate without a key', { 'tls-cert': cert }, '--tls-cert'],
  ['a key without a certificate', { 'tls-key': key }, '--tls-key'],
  ['a file that is not there', { 'tls-cert': join(folder, 'none'), 'tls-key': key }, '--tls-cert'],
  ['a folder', { 'tls-cert': folder, 'tls-key': key }, '--tls-cert'],
  ['a key where the certificate should be', { 'tls-cert': key, 'tls-key': key }, '--tls-cert'],
  ['a key of another certificate', { 'tls-cert': cert, 'tls-key': otherKey }, '--tls-key'],
  [
    'a CA to be written where none is made',
    { 'tls-cert': cert, 'tls-key': key, 'tls-ca-out': ['a.pem'] },
    '--tls-ca-out',
  ],
  ['a CA file of no known kind', { tls: true, 'tls-ca-out': ['ca.txt'] }, '--tls-ca-out'],
] as const)('[cli.tls] --tls: %s is one line that begins with the option', (_, options, option) => {
  const why = refused(untilEnd(() => parseTlsOptions(options, named)))
  expect(why.split(/[ :]/)[0]).toBe(option)
  expect(why).not.toContain('\n')
})

test('[cli.tls] --tls: the CA is written as PEM and as PKCS12, by the file’s name; where it cannot be it is a refusal', () => {
  const [pem, store] = [join(folder, 'ca.pem'), join(folder, 'ca.p12')]
  writeAuthority(authority.certificate, [pem, store])
  expect(readFileSync(pem, 'utf8')).toBe(authority.certificate)
  expect(readFileSync(store)).toEqual(Buffer.from(createTrustStore(authority.certificate)))
  refused(untilEnd(() => writeAuthority(authority.certificate, [join(folder, 'no/such/ca.pem')])))
})

test.skipIf(process.platform !== 'linux')('a folder that can take no folder for traces is refused, and soon', () => {
  refused(untilEnd(() => parseTraceOptions({ trace: '/proc/nope/traces' }, named)))
})

test('a limit is in MiB', () => {
  const path = join(tmpdir(), 'x.handset')
  const value = { traces: { path, bytes: 1024 * 1024 } }
  expect(parseTraceOptions({ trace: path, 'trace-limit': 1 }, named)).toEqual(value)
})

test('[cli.options] further hosts may be given several times, beside those of the file', () => {
  const hosts = (...names: string[]) =>
    untilEnd(() => parseBenchOptions({ port: 0, prefix: '/fido', 'allow-host': names }))
  expect(hosts('handset', 'box:8080')).toMatchObject({ value: { allowHosts: ['handset', 'box:8080'] } })
  expect(readConfig('allow_hosts: [handset]')).toEqual({ ok: true, value: { allow_hosts: ['handset'] } })
  for (const name of ['http://handset', 'hand set', 'handset/', '*', '*.example', 'handset:99999'])
    expect(hosts(name).ok, name).toBe(false)
})

/** Files of the command line that a file imports, itself among them. */
const importedBy = (path: string, seen: ReadonlySet<string> = new Set()): ReadonlySet<string> => {
  if (seen.has(path) || !READS.test(path) || SAYS_ALL.test(path)) return seen
  // Starters that init writes import without a suffix.
  const names = importsOf(readFileSync(join(ROOT, path), 'utf8')).filter((name) => /^\..*\.ts$/.test(name))
  const targets = names.map((name) => targetOf(path, name))
  return targets.reduce<ReadonlySet<string>>((all, target) => importedBy(target, all), new Set([...seen, path]))
}

/** The runner of scenarios takes the settings of a run as they are. */
const READS = /^src-main\/(cli|testing\/scenario\/runner)\//
/** They name options of every command. */
const SAYS_ALL = /\/(options|read-options|command)\.ts$/
/** It only hides others. */
const HIDING = 'memory'

test.each(Object.entries(OPTIONS))('no option of %s is offered that its code does not read', (command, options) => {
  const code = [...importedBy(`src-main/cli/${command}.ts`)]
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n')
  const isRead = (name: string): boolean =>
    name === HIDING || new RegExp(`(options\\s*\\.|'|[{,] ?)${name}(?![\\w-])`).test(code)
  expect(Object.keys(options).filter((name) => !isRead(name))).toEqual([])
})
