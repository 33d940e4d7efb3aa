import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveOptions } from '../../src-main/cli/options.ts'
import { connectHandset, type Handset, type StartOptions, startHandset } from '../../src-main/sdk/index.ts'
import { createRp } from '../../src-main/sdk/rp.ts'
import { benchForTests } from '../../src-main/sdk/test-fixtures.ts'
import { readPage } from '../docs/code-blocks.ts'
import { ROOT } from '../support/imports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { certificateFor } from '../support/tls.ts'

test('a bench that was started ends with close, and its address with it', async () => {
  vi.stubEnv('HANDSET_PORT', 'not a port')
  vi.stubEnv('HANDSET_NOT_AN_OPTION', '1')
  const token = 'correct-horse.battery_staple~'
  const handset = await startHandset({ accessKey: { id: 'shop', secret: 'a-secret-of-some-length' }, token })
  expect(handset.token).toBe(token)
  const { pid } = await handset.client.call('bench.info')
  const { rps } = await handset.client.call('rps.list')
  const { keys } = await handset.client.call('keys.list', { params: { rp: rps[0]?.id ?? '' } })
  expect(keys).toEqual([expect.objectContaining({ id: 'shop' })])
  await handset.close()
  expect(() => process.kill(pid, 0)).toThrow()
})

test('a bench that was started ends with its parent, even when that is killed', async () => {
  const parent = `import { startHandset } from ${JSON.stringify(`${ROOT}/src-main/sdk/index.ts`)}
    const handset = await startHandset()
    console.log((await handset.client.call('bench.info')).pid)
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const pid = Number(await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve)))
  expect(process.kill(pid, 0)).toBe(true)
  child.kill('SIGKILL')
  await expect.poll(() => isThere(pid)).toBe(false)
})

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a start that fails says how it ended and what it wrote', async () => {
  const failed = await startHandset({ rpId: 'a..b' }).catch((error: unknown) => error)
  expect(failed).toMatchObject({ name: 'StartError', code: 2, output: expect.stringContaining('--rp-id') })
})

test('a start that takes too long is given up', async () => {
  await expect(startHandset({ readyTimeoutMs: 1 })).rejects.toMatchObject({ name: 'StartError', code: 'timeout' })
})

/** The options of `startHandset`, and which of `handset serve` they are. */
const OPTIONS: Readonly<Record<keyof StartOptions, readonly (keyof typeof serveOptions)[]>> = {
  port: ['port'],
  hosts: ['host'],
  allowHosts: ['allow-host'],
  publicUrl: ['public-url'],
  prefix: ['prefix'],
  tls: ['tls', 'tls-cert', 'tls-key'],
  rpId: ['rp-id'],
  origins: ['origin'],
  accessKey: ['access-key'],
  config: ['config'],
  profile: ['profile'],
  mds: ['mds', 'mds-root'],
  seed: ['seed'],
  data: ['data', 'memory'],
  store: ['store'],
  token: ['token'],
  metricsToken: ['metrics-token'],
  trace: ['trace'],
  traceLimit: ['trace-limit'],
  log: ['log'],
  logLevel: ['log-level', 'verbose'],
  onLog: [],
  readyTimeoutMs: ['json', 'until-input-ends'],
}

/** What a bench has that is no child of its watcher. */
const LEFT_OUT = ['role', 'service-url', 'open', 'tls-ca-out', 'drain', 'keep-events']

test('each option of serve is one of the SDK, or left out on purpose, and the page has those of the SDK', () => {
  expect([...Object.values(OPTIONS).flat(), ...LEFT_OUT].toSorted()).toEqual(Object.keys(serveOptions).toSorted())
  const page = readPage('docs/using/sdk.md')
  const table = page.slice(page.indexOf('| options |'), page.indexOf('The other options'))
  const shown = [...table.matchAll(/`(\w+)[^`]*`/g)].map(([, name]) => name)
  expect(shown).toEqual(expect.arrayContaining(Object.keys(OPTIONS)))
})

test('a bench that is started writes a trace and a log, and shows its metrics, as it is told', async () => {
  const trace = join(temporaryFolder(), 'run.handset')
  const lines: string[] = []
  const metricsToken = 'metrics-token-of-24-letters'
  const handset = await startHandset({
    ...{ trace, traceLimit: 1, log: 'json', logLevel: 'info', metricsToken },
    onLog: (line) => void lines.push(line),
  })
  onTestFinished(() => handset.close())
  const metrics = await fetch(new URL('/metrics', handset.controlUrl), {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  expect(metrics.status).toBe(200)
  await handset.phone({ passkeys: [{ user_id: 'u-1' }] })
  await handset.close()
  expect(lines.map((line) => JSON.parse(line).level)).toContain('info')
  expect(readFileSync(trace).length).toBeGreaterThan(0)
})

test('the database of a bench goes by the environment, and not with --memory', async () => {
  const failed = startHandset({ store: 'mysql://user:secret@db/handset' })
  await expect(failed).rejects.toMatchObject({
    code: 2,
    output: expect.stringMatching(/^(?!.*--memory).*HANDSET_STORE/),
  })
})

const start = async (tls: NonNullable<StartOptions['tls']>): Promise<Handset> => {
  const handset = await startHandset({ tls })
  onTestFinished(() => handset.close())
  return handset
}

const signIn = async (handset: Pick<Handset, 'rp' | 'phone'>): Promise<string> => {
  const rp = await handset.rp()
  const phone = await handset.phone({ passkeys: [{ user_id: 'u-1' }] })
  const message = await rp.signIn({ user_id: 'u-1', username: 'alice', method: 'qrcode' })
  await phone.scan(message.url)
  await phone.approve()
  const { status } = await message.result({ intervalMs: 20 })
  rp.close()
  return status
}

const expectOwnRpToTrust = async (handset: Handset): Promise<void> => {
  const { baseUrl, accessKeyId, secretKey } = await handset.rp()
  const key = { baseUrl, accessKeyId, secretKey }
  const trusting = createRp({ ...key, ca: handset.ca })
  const careless = createRp(key)
  expect(await trusting.credentials('nobody')).toEqual([])
  await expect(careless.credentials('nobody')).rejects.toMatchObject({ code: 0, httpStatus: 0 })
  for (const rp of [trusting, careless]) rp.close()
}

test('[cli.tls] the SDK starts a bench over https and trusts the CA that was made; another process is told of it', async () => {
  const handset = await start(true)
  const { controlUrl, token, ca = '' } = handset
  expect(new URL(controlUrl).protocol).toBe('https:')
  expect(await signIn(await handset.workspace())).toBe('success')
  const connected = await connectHandset({ controlUrl, token, ca })
  expect(await connected.lastSeq()).toBeTypeOf('number')
  await expect(connectHandset({ controlUrl, token })).rejects.toMatchObject({ code: 'unreachable' })
  const file = join(temporaryFolder(), 'ca.pem')
  writeFileSync(file, ca)
  const env = { HANDSET_CONTROL_URL: controlUrl, HANDSET_TOKEN: token, HANDSET_CA: file }
  expect(await (await benchForTests(env)).lastSeq()).toBeTypeOf('number')
  await expectOwnRpToTrust(handset)
})

test.each(['', 'no certificate'])('[cli.tls] a CA that is no certificate (%j) is refused by name', async (ca) => {
  const controlUrl = 'https://127.0.0.1:9/control/v1'
  await expect(connectHandset({ controlUrl, token: 'any', ca })).rejects.toMatchObject({ code: 'wrong_ca' })
  const make = () => createRp({ baseUrl: 'https://127.0.0.1:9/fido', accessKeyId: 'a', secretKey: 'b', ca })
  expect(make).toThrow(expect.objectContaining({ code: 'wrong_ca' }))
})

test('[cli.tls] the SDK starts a bench with a certificate and trusts that', async () => {
  const folder = temporaryFolder()
  const { server } = certificateFor(['localhost'])
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(tls.cert, server.certificate)
  writeFileSync(tls.key, server.key)
  expect(await signIn(await start(tls))).toBe('success')
})
