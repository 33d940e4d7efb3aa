import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findRoot } from '../../src-main/cli/root.ts'
import { freePort } from '../support/free-port.ts'
import { KEY, rpAt, startTarget } from '../support/proxy.ts'
import { runCommand } from '../support/run-command.ts'
import { serveBriefly } from '../support/serve-briefly.ts'
import { begin } from '../support/spawn-tied.ts'
import { taken } from '../support/taken.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = findRoot(import.meta.dirname)
/** The program as people start it, in a folder of its own and with nothing of this user's. */
const startProgram = async (folder: string, ...args: readonly string[]) => {
  const home = { HOME: folder, TMPDIR: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder }
  const { ready, ...begun } = begin<{
    readonly base_url: string
    readonly app_url: string | null
    readonly target: string
  }>([process.execPath, join(root, 'src-main/bin.mjs'), 'proxy', '--json', ...args], {
    cwd: folder,
    env: { ...process.env, ...home },
  })
  onTestFinished(() => void begun.kill())
  let out = ''
  begun.child.stdout?.on('data', (part) => {
    out += part
  })
  return { ...begun, ready: await ready, said: () => out + begun.stderr() }
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

const SECRETS = {
  key: KEY.secret,
  bearer: 'canary-bearer-6f1d',
  cookie: 'canary-cookie-77aa',
  apiKey: 'canary-api-key-02c4',
  deviceToken: 'canary-device-token-9e31',
}

test('no secret that passes reaches the disk or the terminal', async () => {
  const data = { device_token: SECRETS.deviceToken, total: 0, list: [] }
  const origin = await serveBriefly((_, response) => {
    response.setHeader('Set-Cookie', `session=${SECRETS.cookie}`).end(JSON.stringify({ code: 0, data, error: '' }))
  })
  const folder = temporaryFolder()
  const { stop, ready, said } = await startProgram(
    folder,
    ...['--target', `${origin}/fido`, '--app-url', `${origin}/app`, '--port', '0'],
    ...['--access-key', `${KEY.id}:${KEY.secret}`, '--trace', join(folder, 'traces')],
  )
  const headers = {
    Authorization: `Bearer ${SECRETS.bearer}`,
    Cookie: `session=${SECRETS.cookie}`,
    'X-Api-Key': SECRETS.apiKey,
  }
  taken(await rpAt(ready.base_url).credentials('u-1'))
  await rpAt(ready.base_url, { secretKey: 'quite another secret than the one it has' }).credentials('u-1')
  await (await fetch(`${ready.base_url}/rp/credentials?user_id=1`, { headers })).text()
  const answer = await fetch(`${ready.app_url}/devices`, { headers, method: 'POST', body: '{}' })
  expect(await answer.text()).toContain(SECRETS.deviceToken)
  expect(await stop()).toBe(0)
  const files = filesBelow(folder)
  const written = files.map((file) => readFileSync(file, 'latin1')).join('\n') + said()
  expect(files.length).toBeGreaterThan(0)
  expect(written.split('/fido/rp/credentials').length).toBeGreaterThan(3)
  for (const secret of Object.values(SECRETS)) expect(written).not.toContain(secret)
})

test('when it is killed, at whatever moment, the RP is cut off and the service hears that; a new one goes on', async () => {
  const target = await startTarget()
  const port = String(await freePort())
  const args = ['--target', target.bench.baseUrl, '--access-key', `${KEY.id}:${KEY.secret}`, '--port', port]
  const first = await startProgram(temporaryFolder(), ...args)
  expect(first.ready.target).toBe(target.bench.baseUrl)
  const rp = rpAt(first.ready.base_url, { timeoutMs: 5_000 })
  const codes = new Set<number | string>()
  let dead = false
  let listings = 0
  const underWay = Promise.withResolvers<void>()
  const call = async () => {
    while (!dead) {
      const listed = await rp.credentials('u-1')
      codes.add(listed.ok ? 'listed' : listed.error.code)
      listings += 1
      if (listings > 40 || !listed.ok) underWay.resolve()
      if (!listed.ok) return
    }
  }
  const callers = Promise.all(Array.from({ length: 8 }, call))
  await underWay.promise
  await first.kill()
  dead = true
  await callers
  expect([...codes].sort()).toEqual([0, 'listed'])
  expect(taken(await rpAt(target.bench.baseUrl).credentials('u-1')).total).toBe(0)
  const second = await startProgram(temporaryFolder(), ...args)
  expect(taken(await rpAt(second.ready.base_url).credentials('u-1')).total).toBe(0)
})

const empty = (): string => {
  const file = join(temporaryFolder(), 'empty.handset')
  writeFileSync(file, 'no trace\n')
  return file
}

test.each<readonly [string, () => readonly string[], string]>([
  ['nothing', () => [], 'handset proxy: it needs --target URL, or --replay FILE.'],
  ['no address', () => ['--target', 'fido'], '--target must be an address with http:// or https://'],
  ['a query', () => ['--target', 'http://a/fido?x'], '--target must be an address'],
  ['a password', () => ['--target', 'http://me:hush@a/fido'], '--target must have no user and no password in it.'],
  ['half a key', () => ['--target', 'http://a/fido', '--access-key', 'one'], '--access-key must be ID:SECRET'],
  ['a path of ours, without a key', () => ['--target', 'http://a/w/1/fido'], 'give --access-key.'],
  ['no recording', () => ['--replay', 'nowhere.handset'], '--replay: there is no file nowhere.handset.'],
  ['another file', () => ['--replay', empty()], 'is not a trace'],
  ['no such file', () => ['--target', 'http://a/fido', '--ca', 'nowhere.pem'], '--ca: there is no file nowhere.pem.'],
])('%s is told in a line, with exit code 2', async (_, args, line) => {
  const { code, errors } = await runCommand(['proxy', ...args()])
  expect(errors.join('\n')).toContain(line)
  expect(errors.join('\n')).not.toContain('hush')
  expect(code).toBe(2)
})
