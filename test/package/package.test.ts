import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { blocksOf, readPage } from '../docs/code-blocks.ts'
import { ROOT } from '../support/imports.ts'

const { folder, tarball, packed } = inject('installed')
const tools = join(ROOT, '.ci/package/node_modules')
const nodeOf = (version: string): string => join(tools, `node-${version}/bin/node`)

const EXAMPLES = 'node_modules/handset/src-main/testing/scenario/examples'

/** By a command of the folder or of the tools, on a Node, without a network. */
const surroundings = (version: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [dirname(nodeOf(version)), process.env.PATH].join(delimiter),
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'no-network.mjs')}`,
  npm_config_offline: 'true',
})

const run = (version: string, program: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env: surroundings(version) })
  return { status, out: stdout.toString().trim(), errors: stderr.toString().trim() }
}

const paths = packed.files.map(({ path }) => path)

test('the tarball is smaller than 15 MB, with SQLite for eight platforms', () => {
  expect(packed.size).toBeLessThan(15_000_000)
})

test.each(['early-end.mjs', 'LICENSE', 'README.md', 'SKILL.md', 'out/renderer/index.html'])(
  'the tarball holds %s',
  (path) => expect(paths).toContain(path),
)

test('the tarball holds no source, no map and nothing of the desktop program', () => {
  // What quotes a word for a shell is none of it, nor is what the command line knows of Electron.
  const isStray = (path: string): boolean =>
    (/\.([mc]?tsx?|map)$/.test(path) && !/\.d\.m?ts$/.test(path)) ||
    /preload|electron(?!-[\w-]{8}\.js$)|shell(?!-word)/.test(path)
  expect(paths.filter(isStray)).toEqual([])
})

test('the tarball has the notice of each package whose code is inside', () => {
  const notices = readFileSync(join(folder, 'node_modules/handset/THIRD-PARTY-LICENCES.txt'), 'utf8')
  for (const name of [
    'react',
    'cbor-x',
    '@modelcontextprotocol/server',
    '@simplewebauthn/server',
    '@fontsource-variable/inter',
    'zxing-wasm',
  ]) {
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
  expect(notices).not.toMatch(/\(undefined\)/)
})

const lock: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> = JSON.parse(
  readFileSync(join(folder, 'package-lock.json'), 'utf8'),
).packages
const names = Object.keys(lock).filter((path) => path !== '')

test('what npm installs with it are fewer than 50 packages, and neither a Node nor an Electron', () => {
  expect(names).toContain('node_modules/handset')
  expect(names.length).toBeLessThan(50)
  expect(names.filter((name) => /node-(bin|linux|darwin|win)|electron/.test(name))).toEqual([])
})

test('what npm installs with it runs no script during the installation', () => {
  expect(names.filter((name) => lock[name]?.hasInstallScript === true)).toEqual([])
  // npm ci compiles a package that has one, whatever its manifest says.
  expect(names.filter((name) => existsSync(join(folder, name, 'binding.gyp')))).toEqual([])
})

test('each example names a schema that is in the package', () => {
  const examples = join(folder, 'node_modules/handset/src-main/testing/scenario/examples')
  const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))
  const named = files.flatMap((file) => {
    const [, schema] = /^# yaml-language-server: \$schema=(.+)$/m.exec(readFileSync(join(examples, file), 'utf8')) ?? []
    return schema === undefined ? [] : [join(examples, file, '..', schema)]
  })
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

test('its linters: publint finds nothing', () => {
  const { status, out } = run('24', join(tools, '.bin/publint'), join(ROOT, 'dist/package'), '--strict', '--pack=false')
  expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining('All good') })
})

test('its linters: arethetypeswrong finds nothing but what CommonJS would miss', () => {
  const { status, out } = run('24', join(tools, '.bin/attw'), tarball, '--profile', 'esm-only', '--format', 'json')
  const problems = Object.values<readonly { readonly resolutionKind?: string }[]>(JSON.parse(out).problems).flat()
  const elsewhere = ['node10', 'node16-cjs']
  expect({
    status,
    problems: problems.filter(({ resolutionKind = '' }) => !elsewhere.includes(resolutionKind)),
  }).toEqual({ status: 0, problems: [] })
})

const compile = (name: string, source: string) => {
  writeFileSync(join(folder, name), source)
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom']
  return run('24', process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), ...strict, name)
}

test('its types compile in a strict project that has no other types', () => {
  const source = readFileSync(join(import.meta.dirname, 'typed-use.mts'), 'utf8')
  expect(compile('typed-use.mts', source)).toEqual({ status: 0, out: '', errors: '' })
})

test('its types refuse a field that the contract does not know', () => {
  const wrong = `import { connectHandset } from 'handset'
      const { client } = await connectHandset({ controlUrl: '', token: '' })
      await client.call('phones.create', { body: { name: 'Bob', colour: 'red' } })`
  expect(compile('wrong-use.mts', wrong)).toMatchObject({ out: expect.stringMatching(/^wrong-use\.mts.*TS2353/) })
})

/** Its first script, word by word. */
const PAGE = 'docs/using/sdk.md'
const script = blocksOf(PAGE, readPage(PAGE)).find(({ role }) => role === 'first-sign-in.mjs')

/** The page's scenario against a program of the user's own, which it starts out of the package. */
const SCENARIOS = 'docs/using/scenarios.md'
const ownRp = blocksOf(SCENARIOS, readPage(SCENARIOS)).find((block) => block.text.includes(EXAMPLES))

const PLAYED = [
  ['a shipped scenario with patterns', join(EXAMPLES, 'sign-in/by-qr-code.yaml')],
  ['a shipped scenario against the sample RP', join(EXAMPLES, 'your-own-rp/signs-in-by-its-api.yaml')],
  ['the scenario of the docs against an RP of one’s own', 'own-rp.yaml'],
] as const

describe.each(['22', '24', '26'])('on Node %s', (version) => {
  /** Milliseconds from the command to its ready line. */
  const start = async (program: string, ...args: readonly string[]): Promise<number> => {
    const from = performance.now()
    const serve = ['serve', '--memory', '--json', '--port', '0', '--until-input-ends']
    const child = spawn(program, [...args, ...serve], {
      cwd: folder,
      env: surroundings(version),
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = new Promise((resolve) => child.once('close', resolve))
    const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
    const took = performance.now() - from
    expect(JSON.parse(line)).toMatchObject({ ready: true })
    child.stdin.end()
    expect(await exited).toBe(0)
    return took
  }

  test('serve is ready within ten times the second that it takes', async () => {
    const took = await start(join(folder, 'node_modules/.bin/handset'))
    // What npm takes to find the program is npm's, and as much again.
    const byNpx = await start('npx', 'handset')
    console.info(`Node ${version}: ready after ${Math.round(took)} ms, by npx after ${Math.round(byNpx)} ms`)
    expect(took).toBeLessThan(10_000)
  })

  test('the script of the docs makes a first verified sign-in within ten times the second that it takes', async () => {
    writeFileSync(join(folder, 'first-sign-in.mjs'), script?.text ?? '')
    const from = performance.now()
    const child = spawn('node', ['first-sign-in.mjs'], { cwd: folder, env: surroundings(version) })
    expect(await Promise.all([text(child.stdout), text(child.stderr)])).toEqual(['u-1\n', ''])
    expect(performance.now() - from).toBeLessThan(10_000)
  })

  test.each(PLAYED)('%s is played', (_name, path) => {
    if (path === 'own-rp.yaml') writeFileSync(join(folder, path), ownRp?.text ?? '')
    // Not by npx: npm itself says on standard error what it makes of the machine's settings.
    const { status, errors } = run(version, join(folder, 'node_modules/.bin/handset'), 'run', path)
    expect({ status, errors }).toEqual({ status: 0, errors: '' })
  })

  test('every export can be imported, a code is read from a picture, and ML-DSA signs, also where Node lacks it', () => {
    writeFileSync(join(folder, 'parts.mjs'), readFileSync(join(import.meta.dirname, 'parts.mjs')))
    expect(run(version, 'node', 'parts.mjs', join(ROOT, 'node_modules/uqr/dist/index.mjs'))).toEqual({
      status: 0,
      out: 'success success\n2',
      errors: '',
    })
  })
})

test('on Node 20 the command is one line that says what to do', () => {
  expect(existsSync(nodeOf('20'))).toBe(true)
  const { status, out, errors } = run('20', 'node', join(folder, 'node_modules/.bin/handset'), 'serve')
  expect({ status, out }).toEqual({ status: 1, out: '' })
  expect(errors.split('\n')).toEqual([expect.stringMatching(/^handset: this is Node 20\..* 22\.14.*npm i -D node@24/)])
})
