import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findRoot, versionAt } from '../../src-main/cli/root.ts'
import { SUMMARIES } from '../../src-main/cli/summaries.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { heardTerminal } from '../support/heard-terminal.ts'
import { runCommand } from '../support/run-command.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const root = findRoot(import.meta.dirname)
const folder = folderOfFile()
// A project whose page is built, whether ours is or not.
mkdirSync(join(folder, 'project/out/renderer'), { recursive: true })
writeFileSync(join(folder, 'project/out/renderer/index.html'), '')

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const project = { version: versionAt(root), root: join(folder, 'project') }

/** What serves is stopped at once; a scenario plays to its end. */
const handset = (...args: string[]) =>
  runCommand(args, undefined, { ...project, ...(args[0] === 'run' ? {} : { stop: AbortSignal.abort() }) })

test('[cli.help] without a command, and with --help, it tells what there is', async () => {
  for (const args of [[], ['--help'], ['help']]) {
    const { code, out, errors } = await handset(...args)
    expect({ code, errors }).toEqual({ code: 0, errors: [] })
    for (const command of ['start', 'serve', 'run']) expect(out).toContain(`\n  ${command} `)
  }
})

test.each(Object.keys(SUMMARIES))('[cli.help] %s --help shows its usage and every option once', async (command) => {
  const { code, out } = await handset(command, '--help')
  expect(code).toBe(0)
  expect(out).toContain(`Usage  handset ${command}`)
  expect((await handset('help', command)).out).toBe(out)
})

test.each(['', ...Object.keys(SUMMARIES)])('[cli.help] the help %s fits into 80 columns', async (command) => {
  const { terminal, out } = heardTerminal({ width: 80 })
  const { code } = await runCommand(['help', command].filter(Boolean), undefined, { ...project, terminal })
  expect(code).toBe(0)
  const lines = out.join('\n').split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})

test('--version prints the version and nothing else', async () => {
  expect(await handset('--version')).toEqual({ code: 0, out: versionAt(root), errors: [] })
})

test.each([
  [['serv'], 'handset: there is no command "serv". Did you mean serve?'],
  [['--nope'], 'handset: unknown option --nope. See handset --help.'],
  [['version'], 'handset: there is no command "version". Did you mean --version?'],
  [['test'], 'handset: there is no command "test". Did you mean run?'],
  [['serve', '--port', 'x'], 'handset serve: --port must be a whole number from 0 to 65535; got "x".'],
  [['serve', 'what'], 'handset serve: it takes no "what".'],
  [['serve', '--data', 'x', '--memory'], 'handset serve: --data and --memory exclude each other.'],
  [['serve', '--prefix', 'fido'], 'handset serve: --prefix must be a path such as /fido; got "fido".'],
  [['serve', '--prefix', '/..'], 'handset serve: --prefix must be a path such as /fido; got "/..".'],
  [['serve', '--prefix', '/a/./b'], 'handset serve: --prefix must be a path such as /fido; got "/a/./b".'],
  [['serve', '--prefix', '/app'], 'handset serve: --prefix must not begin with /app, which is used here already.'],
  [['serve', '--rp-id', 'https://x'], 'handset serve: --rp-id must be a domain such as shop.example; got "https://x".'],
  [
    ['serve', '--origin', 'https://x/'],
    'handset serve: --origin must be an origin such as https://shop.example; got "https://x/".',
  ],
  [
    ['serve', '--public-url', 'bench.example'],
    'handset serve: --public-url must be an origin such as https://bench.example, without a path; got "bench.example".',
  ],
  [['serve', '--config', '/no/such'], 'handset serve: --config: there is no file /no/such.'],
  [
    ['run'],
    'handset run: there is no scenario to play: name one, here or in run.paths, or begin with npx handset init.',
  ],
  [['run', '/no/such'], 'handset run: there is no file /no/such.'],
  [
    ['run', file('shop.mjs', '')],
    `handset run: ${join(folder, 'shop.mjs')} is a program, not a scenario in YAML: a step "exec" runs one.`,
  ],
  [
    ['run', file('a.handset', '')],
    `handset run: ${join(folder, 'a.handset')} is a trace: npx handset show ${join(folder, 'a.handset')}`,
  ],
])('[cli.misuse] %j is one line and exit code 2', async (args, line) => {
  expect(await handset(...args)).toEqual({ code: 2, out: '', errors: [line] })
})

const WHAT_TO_DO = 'Name a folder that can be made and written, or use --memory.'

/** `PATH` is the data directory, `FILE` a plain file. */
const UNUSABLE: readonly (readonly [string, string, string])[] = [
  ['is a file', 'file', 'PATH is not a folder.'],
  ['lies below a file', join('file', 'in', 'it'), 'PATH cannot be made, for FILE is not a folder.'],
  ...(process.platform === 'win32'
    ? // There a link needs a right that few have, and what is wrong with a long name or a folder is said in other codes.
      []
    : ([
        ['is a link that leads nowhere', 'link', 'PATH is not a folder.'],
        ['has too long a name', 'n'.repeat(300), 'PATH cannot be made: the name is too long.'],
        ['has a folder for a lock', 'full', 'PATH cannot be written: a folder stands where a file should be.'],
      ] as const)),
]

test.each(UNUSABLE)('[cli.misuse] a directory that %s: a line says so and what to do, code 2', async (_, name, why) => {
  const at = mkdtempSync(join(folder, 'data-'))
  writeFileSync(join(at, 'file'), '')
  if (process.platform !== 'win32') symlinkSync('nowhere', join(at, 'link'))
  mkdirSync(join(at, 'full/lock'), { recursive: true })
  const path = join(at, name)
  for (const command of [['serve'], ['start', '--no-window']]) {
    const told = await handset(...command, '--port', '0', '--data', path)
    const said = why.replace('PATH', () => path).replace('FILE', () => join(at, 'file'))
    expect(told).toEqual({ code: 2, out: '', errors: [`handset ${command[0]}: --data: ${said} ${WHAT_TO_DO}`] })
  }
})

test.skipIf(process.platform === 'win32')('a data directory that all may write is used with a warning', async () => {
  const path = mkdtempSync(join(folder, 'data-'))
  for (const [mode, lines] of [
    [0o700, 0],
    [0o777, 1],
  ] as const) {
    chmodSync(path, mode)
    const { code, errors } = await handset('serve', '--port', '0', '--json', '--data', path)
    expect({ code, lines: errors.length }).toEqual({ code: 0, lines })
  }
})

test.runIf(process.platform === 'linux').each([
  ['/proc/nope', '/proc/nope cannot be made: /proc takes nothing new.'],
  ['/proc/nope/deeper', '/proc/nope/deeper cannot be made: /proc takes nothing new.'],
  ['/sys/nope', '/sys/nope cannot be made: this user may not write in /sys.'],
  ['/proc/1', '/proc/1 cannot be written: this user may not write in /proc/1.'],
])('[cli.misuse] a data directory that the system does not allow, %s: one line, exit code 2', async (path, why) => {
  const told = await handset('serve', '--port', '0', '--data', path)
  expect(told).toEqual({ code: 2, out: '', errors: [`handset serve: --data: ${why} ${WHAT_TO_DO}`] })
})

test('a data directory with a folder in a file’s place is one line that names it, and exit code 1', async () => {
  const path = mkdtempSync(join(folder, 'data-'))
  mkdirSync(join(path, 'handset.db'))
  const params = { file: join(path, 'handset.db'), errno: 'EISDIR', message: '' }
  const cause = { code: 'file_refused', params }
  const { code, errors } = await handset('serve', '--port', '0', '--data', path)
  expect({ code, errors }).toEqual({
    code: 1,
    errors: [`handset serve: ${textOf(en.startProblems, { code: 'directory_refused', params: { path, cause } })}`],
  })
})

test('a database that is none is one line and exit code 1', async () => {
  mkdirSync(join(folder, 'data'))
  file('data/version', '1\n')
  file('data/handset.db', 'x'.repeat(5000))
  const params = { file: join(folder, 'data/handset.db'), message: 'file is not a database' }
  expect(await handset('serve', '--port', '0', '--data', join(folder, 'data'))).toEqual({
    code: 1,
    out: '',
    errors: [`handset serve: ${textOf(en.startProblems, { code: 'database_refused', params })}`],
  })
})

test.each([
  ['access-key', 'no/slashes:tell-nobody', 'tell-nobody'],
  ['access-key', `${'k'.repeat(129)}:tell-nobody`, 'tell-nobody'],
  ['access-key', 'k:tell-nobody\t', 'tell-nobody'],
  ['access-key', `k:${'tell-nobody'.padEnd(257, '.')}`, 'tell-nobody'],
  ['access-key', 'k:', 'k:'],
  ['access-key', 'tell-nobody', 'tell-nobody'],
  ['token', 'short-and-secret', 'short-and-secret'],
  ['token', 'a'.repeat(40), 'aaaa'],
  ['token', 'tell-nobody'.repeat(30), 'tell-nobody'],
  ['token', 'tell nobody what this is about', 'tell nobody'],
])('[cli.misuse] a bad secret, --%s %j, is refused without repeating it', async (option, given, secret) => {
  const { code, errors } = await handset('serve', `--${option}`, given)
  const line = expect.stringMatching(new RegExp(`^handset serve: --${option} must be `))
  expect({ code, errors }).toEqual({ code: 2, errors: [line] })
  expect(errors.join()).not.toContain(secret)
})

test('[cli.config] a mistake in a configuration file is told with the option and the file', async () => {
  const path = file('bad.yaml', 'seed: [\n')
  const { code, errors } = await handset('serve', '--config', path)
  expect(code).toBe(2)
  expect(errors[0]).toContain(`--config: ${path}: line 2, column 1: `)
})

test('[cli.ready] serve says where everything is, and with --json says it in one line', async () => {
  const { code, out } = await handset('serve', '--port', '0')
  expect(code).toBe(0)
  expect(out).toMatch(/^Handset \S+ is ready\.\n/)
  const json = await handset('serve', '--port', '0', '--json', '--access-key', 'k1:s:1', '--rp-id', 'shop.example')
  expect(JSON.parse(json.out)).toEqual({
    ready: true,
    base_url: expect.stringMatching(/^http:\/\/localhost:\d+\/fido$/),
    app_url: expect.stringMatching(/\/app$/),
    control_url: expect.stringMatching(/\/control\/v1$/),
    ui_url: expect.stringMatching(/^http:\/\/localhost:\d+\/#code=.{22}$/),
    token: expect.stringMatching(/^.{32}$/),
    ca: null,
    access_key_id: 'k1',
    secret_key: 's:1',
    rp_id: 'shop.example',
    origins: ['https://shop.example'],
    pid: process.pid,
  })
})

test('[cli.ready] a page that was not built is one line that says what to do', async () => {
  const page = join(folder, 'project/out/renderer/index.html')
  rmSync(page)
  const told = await handset('serve', '--port', '0', '--json')
  writeFileSync(page, '')
  expect(told.code).toBe(0)
  expect(JSON.parse(told.out)).toMatchObject({ ready: true })
  expect(told.errors).toEqual([expect.stringContaining('npm run build')])
})

const ready = async (...args: string[]) => {
  const { code, out, errors } = await handset('serve', '--port', '0', '--json', ...args)
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  return JSON.parse(out)
}

test('[rps.first] without options there is one RP, localhost at the bench’s own port, with one key', async () => {
  const { base_url, rp_id, origins, access_key_id, secret_key } = await ready()
  const { port } = new URL(base_url)
  expect({ rp_id, origins }).toEqual({ rp_id: 'localhost', origins: [`http://localhost:${port}`] })
  expect(access_key_id).toMatch(/^ak_.{16}$/)
  expect(secret_key).toMatch(/^.{43}$/)
  // RP ID localhost has no other origin than one of localhost, wherever the bench listens.
  const elsewhere = await ready('--host', '127.0.0.2')
  const there = new URL(elsewhere.base_url)
  expect(there.hostname).toBe('127.0.0.2')
  expect(elsewhere.origins).toEqual([`http://localhost:${there.port}`])
})

test('[cli.options] the options say where it is and who its first RP is', async () => {
  const options = ['--prefix', '/v1/fido', '--access-key', 'k1:a:b c', '--rp-id', 'shop.example']
  const origins = ['https://shop.example', 'https://www.shop.example', 'android:apk-key-hash:abc_-']
  const told = await ready(...options, ...origins.flatMap((origin) => ['--origin', origin]))
  expect(told).toMatchObject({ access_key_id: 'k1', secret_key: 'a:b c', rp_id: 'shop.example', origins })
  expect(new URL(told.base_url).pathname).toBe('/v1/fido')
  const behind = await ready('--public-url', 'https://bench.example')
  expect(behind.base_url).toBe('https://bench.example/fido')
  expect(behind.app_url).toBe('https://bench.example/app')
})

test('[cli.options] a token of one’s own is the same at every start, and is shown in JSON alone', async () => {
  const token = 'correct-horse.battery_staple~'
  const path = file('control-token', `${token}\n`)
  expect([await ready('--token-file', path), await ready('--token-file', path)]).toMatchObject([{ token }, { token }])
  expect((await handset('serve', '--port', '0', '--token', token)).out).not.toContain(token)
})

test('[cli.options] a secret of 256 characters is taken on the command line and in the file, whatever they are', async () => {
  const secret = '🔑'.repeat(255).concat(':')
  expect((await ready('--access-key', `k1:${secret}`)).secret_key).toBe(secret)
  const path = file('keys.yaml', `rps: [{name: A, rp_id: a.example, keys: [{id: k1, secret: "${secret}"}]}]`)
  expect((await ready('--config', path)).secret_key).toBe(secret)
})

test('[cli.options] what the command line says counts at every start, for what is kept as well', async () => {
  const data = join(folder, 'kept')
  const kept = (...args: string[]) => ready('--data', data, ...args)
  expect(await kept('--access-key', 'k1:first')).toMatchObject({ access_key_id: 'k1', secret_key: 'first' })
  expect(await kept('--access-key', 'k1:second')).toMatchObject({ access_key_id: 'k1', secret_key: 'second' })
  expect(await kept()).toMatchObject({ access_key_id: 'k1', secret_key: 'second', rp_id: 'localhost' })
  expect(await kept('--rp-id', 'shop.example')).toMatchObject({
    rp_id: 'shop.example',
    origins: ['https://shop.example'],
  })
  expect(await kept()).toMatchObject({ rp_id: 'shop.example', origins: ['https://shop.example'] })
})

test('[cli.config] a configuration file furnishes the bench', async () => {
  const path = file(
    'bench.yaml',
    `rps:
  - { name: Shop, rp_id: shop.example, origins: ['https://shop.example'], keys: [{ id: shop-key, secret: very-secret }] }
  - { name: Bank, rp_id: bank.example }
phones:
  - { name: Alice’s phone, account: { name: Alice, phone: '13812345678' }, behaviour: { answer: approve } }
  - { name: Alice’s tablet, same_account_as: Alice’s phone }
profile: { message_ttl_s: 60 }
clock: { now: 2030-01-01T12:00:00Z, frozen: true }
seed: 3
`,
  )
  const { code, out, errors } = await handset('serve', '--port', '0', '--json', '--config', path)
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  expect(JSON.parse(out)).toMatchObject({ access_key_id: 'shop-key', secret_key: 'very-secret', rp_id: 'shop.example' })
})

const scenarios = readdirSync(join(root, 'src-main/testing/scenario/examples')).filter((name) => name.endsWith('.yaml'))

test.each(scenarios)('the scenario %s that comes with Handset passes', async (name) => {
  const { code, out, errors } = await handset('run', join(root, 'src-main/testing/scenario/examples', name))
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  expect(out).toMatch(/passed {2}\d+ steps/)
})

test.each([
  [['ru'], ['run']],
  [['run', '--ret'], ['--retries']],
  [['suite', 'rp', '--fa'], ['--fault']],
  [['run', '-f'], ['-f']],
  [['run', '--report', 'h'], []],
  [['serve', '--data', 'proj'], ['project']],
  [['run', '--out', 'proj'], ['project']],
  [
    ['record', '--out', 'proj'],
    ['project', 'project.yaml'],
  ],
  [['run', '--trace', 'proj'], []],
  [
    ['serve', '--trace', 'proj'],
    ['project', 'project.yaml'],
  ],
])('[cli.help] bash completes %j to %j', async (words, expected) => {
  file('project.yaml', '')
  const { out } = await handset('completion', 'bash')
  const line = ['handset', ...words]
  const call = `COMP_WORDS=(${line.join(' ')}); COMP_CWORD=${words.length}; _handset handset "${line.at(-1)}" "${line.at(-2)}"`
  const said = execFileSync('bash', ['-c', `${out}\n${call}; printf '%s\\n' "\${COMPREPLY[@]}"`], { cwd: folder })
  expect(said.toString().split('\n').filter(Boolean).sort()).toEqual(expected)
})

test('[cli.help] fish offers folders alone where an option takes one', async () => {
  const { out } = await handset('completion', 'fish')
  const offersFolders = (command: string) =>
    out
      .split('\n')
      .find((row) => row.includes(`from ${command}' -l out `))
      ?.includes('__fish_complete_directories')
  expect([offersFolders('run'), offersFolders('record')]).toEqual([true, false])
})

test.each(['zsh', 'fish'])('[cli.help] %s reads what completes it, where it is installed', async (shell) => {
  const { code, out } = await handset('completion', shell)
  const read = spawnSync(shell, ['-n', file(`completion.${shell}`, out)], { encoding: 'utf8' })
  expect(code).toBe(0)
  expect(read.stderr ?? '').toBe('')
})
