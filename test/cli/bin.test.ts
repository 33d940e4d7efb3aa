import { spawn, spawnSync } from 'node:child_process'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defaultDataDirectory } from '../../src-main/cli/command.ts'
import { findRoot } from '../../src-main/cli/root.ts'
import { schemaLine } from '../../src-main/cli/write-whole.ts'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { formatRfc3339 } from '../../src-main/core/protocol/time.ts'
import { createControlClient, openSession } from '../../src-main/sdk/client.ts'
import { writeTrace } from '../../src-main/views/trace/write-trace.ts'
import { editorSchemas } from '../docs/documents.ts'
import { FAILS, REGISTERS } from '../support/many-scenarios.ts'
import { delivery } from '../support/recorded-events.ts'
import { listenBriefly } from '../support/serve-briefly.ts'
import { begin } from '../support/spawn-tied.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = findRoot(import.meta.dirname)
const isBuilt = existsSync(join(root, 'out/renderer/index.html'))
const WITHOUT_PAGE = isBuilt ? '' : expect.stringMatching(/^handset serve: .*npm run build.*\n$/)

/** The program as people start it, from the source. */
const handset = (...args: string[]) => handsetIn(process.env, ...args)

type Ready = {
  readonly app_url: string
  readonly control_url: string
  readonly ui_url: string
  readonly token: string
  readonly pid: number
}

const handsetIn = (env: NodeJS.ProcessEnv, ...args: string[]) => {
  const begun = begin<Ready>([process.execPath, join(root, 'src-main/bin.mjs'), ...args], { env })
  onTestFinished(() => void begun.kill())
  return { ...begun, exited: async () => ({ code: await begun.ended, errors: begun.stderr() }) }
}

/** Two seconds where nothing else runs; less than anything takes that it must not wait for. */
const AT_MOST_MS = 20_000

test.skipIf(process.platform === 'win32')(
  '[cli.stop] SIGTERM ends it with exit code 0 and waits for nothing, streams, waits and slow answers included',
  async () => {
    const { child, exited, ...serving } = handset('serve', '--port', '0', '--json')
    const ready = await serving.ready
    expect(ready.pid).toBe(child.pid)
    const client = createControlClient({ controlUrl: ready.control_url, token: ready.token })
    const events = client.events({ after: 0, retry: async () => false })
    await events.next()
    const waiting = client.call('events.wait', { body: { match: { kind: 'nothing' } } }).catch((error) => error)
    await client.call('phones.create', { body: { name: 'Bob' } })
    await client.call('conditions.patch', { body: { app: { latency_ms: 60_000 } } })
    const slow = fetch(`${ready.app_url}/inbox`).catch((error) => error)
    await client.call('events.list', { query: { limit: 1 } })
    const began = performance.now()
    child.kill('SIGTERM')
    expect(await exited()).toEqual({ code: 0, errors: WITHOUT_PAGE })
    expect(performance.now() - began).toBeLessThan(AT_MOST_MS)
    await Promise.all([waiting, slow])
  },
)

test('[cli.data-in-use] [cli.committed] a data directory in use is refused in one line that names its holder, and SIGKILL loses nothing committed', async () => {
  const data = temporaryFolder()
  const serve = () => handset('serve', '--port', '0', '--json', '--data', data)
  const clientOf = ({ control_url, token }: Ready) => createControlClient({ controlUrl: control_url, token })
  const first = serve()
  const ready = await first.ready
  const made = await clientOf(ready).call('rps.create', { body: { name: 'Shop', rp_id: 'shop.example' } })
  const { code, errors } = await serve().exited()
  expect(code).toBe(1)
  expect(errors.trim().split('\n')).toHaveLength(1)
  const since = formatRfc3339(statSync(join(data, 'holder')).mtimeMs)
  const params = { path: data, pid: String(ready.pid), since }
  expect(errors).toContain(textOf(en.startProblems, { code: 'directory_in_use', params }))
  await first.kill()
  const later = clientOf(await serve().ready)
  expect(await later.call('rps.get', { params: { rp: made.id } })).toMatchObject({ name: 'Shop' })
})

test('[cli.ready] the page’s address in serve --json opens one session with the same token; another on its port is refused in one line', async () => {
  const ready = await handset('serve', '--port', '0', '--json').ready
  const code = new URL(ready.ui_url).hash.slice('#code='.length)
  expect(await openSession({ controlUrl: ready.control_url, code })).toBe(ready.token)
  await expect(openSession({ controlUrl: ready.control_url, code })).rejects.toMatchObject({ code: 40111 })
  const { port } = new URL(ready.control_url)
  const why = textOf(en.startProblems, { code: 'port_of_handset', params: { port: Number(port) } })
  expect(await handset('serve', '--port', port).exited()).toEqual({ code: 1, errors: `handset serve: ${why}\n` })
})

test('it goes on when the reader of its output has gone', async () => {
  const { child, ...serving } = handset('serve', '--port', '0', '--json', '--verbose')
  const ready = await serving.ready
  child.stdout?.destroy()
  child.stderr?.destroy()
  const client = createControlClient({ controlUrl: ready.control_url, token: ready.token })
  for (let n = 0; n < 3; n++)
    expect(await client.call('workspaces.list')).toMatchObject({ workspaces: [{ id: 'main' }] })
  expect(child.exitCode).toBeNull()
})

test('a port that the bench of the usual data directory uses is told with that directory', async () => {
  const home = temporaryFolder()
  const directory = defaultDataDirectory({ env: { HOME: home, USERPROFILE: home }, platform: process.platform })
  const env = { ...process.env, HOME: home, USERPROFILE: home, XDG_DATA_HOME: '', LOCALAPPDATA: '' }
  const first = handsetIn(env, 'serve', '--port', '0', '--json', '--data', directory)
  const { port } = new URL((await first.ready).control_url)
  const { errors } = await handsetIn(env, 'serve', '--port', port).exited()
  expect(errors).toContain(`another Handset uses it, with the data directory ${directory}.`)
})

test('a port that another program uses is told as that', async () => {
  const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'))
  const port = await listenBriefly(other)
  expect((await handset('serve', '--port', String(port)).exited()).errors).toContain(
    `127.0.0.1:${port}: another program uses it`,
  )
})

test.skipIf(process.platform === 'win32')(
  '[cli.stop] SIGINT ends a scenario in the middle of a step, with exit code 130 and nothing left',
  async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'waits.yaml')
    writeFileSync(
      file,
      'name: Waits\nsteps:\n  - clock: { frozen: true }\n  - wait: { kind: message, until: { s: 600 } }\n',
    )
    const { child, exited, ready } = handset('run', file, '--json')
    expect(await ready).toMatchObject({ event: 'scenario' })
    const began = performance.now()
    child.kill('SIGINT')
    expect(await exited()).toEqual({ code: 130, errors: 'handset run: stopped before the end.\n' })
    expect(performance.now() - began).toBeLessThan(AT_MOST_MS)
    expect(() => process.kill(child.pid ?? 0, 0)).toThrow()
  },
)

test.skipIf(!existsSync('/dev/full'))('output that a full disk does not take is one line and exit code 3', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [join(root, 'src-main/bin.mjs'), '--version'], {
    stdio: ['ignore', full, 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  closeSync(full)
  const [errors, code] = await Promise.all([
    child.stderr?.toArray(),
    new Promise((resolve) => child.once('close', resolve)),
  ])
  expect({ code, errors: errors?.join('') }).toEqual({ code: 3, errors: expect.stringMatching(/^handset: .+\n$/) })
})

// A late reader: whatever is not in the pipe when the program ends is lost.
test.skipIf(process.platform === 'win32')('output that a pipe does not hold at once arrives whole', async () => {
  const file = join(temporaryFolder(), 'long.handset')
  const events = Array.from({ length: 2000 }, (_, n) => ({
    event: { ...delivery(`m${n}`), v: 1, workspace: 'main', seq: n + 1, wall: n, bench: n } as BenchEvent,
  }))
  writeFileSync(file, await writeTrace({ handset: '1.0.0', workspace: 'main', title: 'long', saved: 0 }, events))
  const program = [process.execPath, join(root, 'src-main/bin.mjs'), 'show', file, '--json']
  const child = spawn('sh', ['-c', '"$0" "$@" | { sleep 1; cat; }', ...program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = (await child.stdout.toArray()).join('').split('\n')
  expect(lines.filter((line) => line.includes('"delivery"') && line.endsWith('}'))).toHaveLength(2000)
})

const inFolder = (cwd: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'src-main/bin.mjs'), ...args], {
    ...{ cwd, encoding: 'utf8', env: { ...process.env, HANDSET_REPORT: 'junit' } },
  })
  return { status, said: stdout + stderr }
}

test('[cli.init] in an empty folder run names init, and what init writes is played without a word more', () => {
  const folder = temporaryFolder()
  expect(inFolder(folder, 'run')).toMatchObject({ status: 2, said: expect.stringContaining('handset init') })
  expect(inFolder(folder, 'init')).toMatchObject({ status: 0, said: expect.stringMatching(/npx handset run$/m) })
  const below = join(folder, 'shop/src')
  mkdirSync(below, { recursive: true })
  for (const cwd of [folder, below]) expect(inFolder(cwd, 'run'), cwd).toMatchObject({ status: 0 })
  expect(existsSync(join(folder, 'handset-results/junit.xml'))).toBe(true)
})

test('[cli.init] init leaves a project file as it is, and run obeys what it says', () => {
  const folder = temporaryFolder()
  expect(inFolder(folder, 'init').status).toBe(0)
  const config = join(folder, 'handset.config.yaml')
  expect(readFileSync(config, 'utf8')).toMatch(
    /^# yaml-language-server: \$schema=node_modules\/handset\/docs\/config\.schema\.json\n/,
  )
  const text = `${readFileSync(config, 'utf8').replace('retries: 0', 'retries: 7')}  exclude: alice\n`
  writeFileSync(config, text)
  expect(inFolder(folder, 'init')).toMatchObject({
    status: 0,
    said: expect.stringMatching(/npx handset run scenarios$/m),
  })
  expect(readFileSync(config, 'utf8')).toBe(text)
  expect(inFolder(folder, 'run')).toMatchObject({ status: 2, said: expect.stringContaining('--exclude') })
  expect(inFolder(folder, 'run', '--exclude', 'bob')).toMatchObject({ status: 0 })
  writeFileSync(config, 'run: { retires: 1 }')
  expect(inFolder(folder, 'run')).toMatchObject({ status: 2, said: expect.stringContaining('Did you mean retries?') })
  expect(inFolder(folder, 'run', '--help').status).toBe(0)
  writeFileSync(config, 'rps: [{ name: Shop, rp_id: shop.example }]')
  expect(inFolder(folder, 'run')).toMatchObject({ status: 2, said: expect.stringContaining('run.paths') })
})

const inProject = (content: string) => {
  const folder = temporaryFolder()
  const cwd = join(folder, 'src')
  const file = join(folder, 'handset.config.yaml')
  mkdirSync(cwd)
  writeFileSync(file, content)
  const start = (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const command = [process.execPath, join(root, 'src-main/bin.mjs'), ...args]
    const begun = begin<{ rp_id: string }>(command, { cwd, env: { ...process.env, ...env } })
    onTestFinished(() => void begun.kill())
    return begun
  }
  const served = async (env: NodeJS.ProcessEnv = {}) => {
    const { ready, kill, stderr } = start(env, 'serve', '--port', '0', '--json')
    const { rp_id } = await ready
    await kill()
    return { rp_id, errors: stderr() }
  }
  return { folder, file, start, served }
}

test('serve reads the nearest project file, and a variable hides it', async () => {
  const { folder, served } = inProject('{ rps: [{ name: Shop, rp_id: project.example }], run: { paths: [a] } }')
  const other = join(folder, 'other.yaml')
  writeFileSync(other, 'rps: [{ name: Shop, rp_id: variable.example }]')
  expect((await served()).rp_id).toBe('project.example')
  expect((await served({ HANDSET_CONFIG: other })).rp_id).toBe('variable.example')
})

test('a wrong project file ends serve and start as it ends run; a program that starts serve does not meet it', async () => {
  const { start } = inProject('rsp: []')
  for (const args of [['run', 'a.yaml'], ['serve'], ['start', '--no-window', '--memory']]) {
    const { ended, stderr } = start({}, ...args)
    const errors = expect.stringMatching(/^handset \w+: the project’s file: .* Did you mean rps\?/)
    expect({ code: await ended, errors: stderr() }, args[0]).toEqual({ code: 2, errors })
  }
  expect(await start({}, 'serve', '--port', '0', '--json', '--until-input-ends').ended).toBe(0)
})

test.skipIf(process.getuid?.() !== 0)('serve says that it does not read the project file of another user', async () => {
  const { file, served } = inProject('rps: [{ name: Shop, rp_id: project.example }]')
  chownSync(file, 65_534, 65_534)
  const errors = expect.stringContaining(`${file} belongs to another user`)
  expect(await served()).toEqual({ rp_id: 'localhost', errors })
})

test('what failed in the folder of the project file is played again alone from a folder below it', () => {
  const folder = temporaryFolder()
  const below = join(folder, 'src')
  mkdirSync(below)
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
  write('handset.config.yaml', 'run: { paths: [a.yaml, b.yaml], report: [json], out: results }\n')
  write('a.yaml', FAILS)
  write('b.yaml', REGISTERS)
  const run = (cwd: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'src-main/bin.mjs'), 'run', ...args], { cwd, encoding: 'utf8' }).status
  expect(run(folder)).toBe(1)
  expect(run(below, '--last-failed')).toBe(1)
  expect(JSON.parse(readFileSync(join(folder, 'results/run.json'), 'utf8')).scenarios).toHaveLength(1)
  write('a.yaml', REGISTERS)
  expect(run(below, '--last-failed')).toBe(0)
  expect(run(folder, '--last-failed')).toBe(2)
})

test('the line for editors leads from any folder to a schema of the package', () => {
  const paths = (['rp-suite', 'webauthn-server'] as const).flatMap((name) =>
    ['a.yaml', 'tests/rp/a.yaml', '../a.yaml'].map((file) => {
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n$/.exec(schemaLine(file, name)) ?? []
      return relative('node_modules/handset', join(dirname(file), schema)).replaceAll('\\', '/')
    }),
  )
  expect(new Set(paths)).toEqual(new Set(['docs/rp-suite.schema.json', 'docs/webauthn-server.schema.json']))
  expect(editorSchemas.map(({ path }) => path)).toEqual(expect.arrayContaining(paths))
})

test('[cli.init] a file where init needs a folder is one line and exit code 3', () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'scenarios'), '')
  expect(inFolder(cwd, 'init')).toEqual({
    status: 3,
    said: expect.stringMatching(/^ +written .*\nhandset init: scenarios .*\n$/),
  })
})
