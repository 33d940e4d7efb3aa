/**
 * npm run image:check: unpacks the archive and runs it with runc, on the machine's network: as a user that nobody named, on a root file system that cannot be written.
 * Needs umoci and runc of Debian, and root.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connectHandset } from '../../src-main/sdk/handset.ts'
import { freePort } from '../support/free-port.ts'
import { ROOT } from '../support/imports.ts'

const [archive, ...others] = globSync(join(ROOT, 'dist/handset-*-linux-*.oci.tar'))
if (archive === undefined || others.length > 0)
  throw new Error('dist/ must hold one archive: run "npm run image" first.')
const folder = mkdtempSync(join(tmpdir(), 'handset-image-'))
const say = (text: string): void => console.log(`✓ ${text}`)
const run = (program: string, args: readonly string[]): string => execFileSync(program, args, { encoding: 'utf8' })
const STRANGER = { uid: 12_345, gid: 0 }

const unpack = (): string => {
  const layout = join(folder, 'layout')
  const bundle = join(folder, 'bundle')
  mkdirSync(layout)
  run('tar', ['-xf', archive, '-C', layout])
  const [{ annotations }] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests
  run('umoci', ['unpack', '--image', `${layout}:${annotations['org.opencontainers.image.ref.name']}`, bundle])
  return bundle
}

/** Of what umoci wrote after the image: its program and variables, and all that is taken away from it. */
const configure = (bundle: string, args: readonly string[], env: Readonly<Record<string, string>>): void => {
  const file = join(bundle, 'config.json')
  const spec = JSON.parse(readFileSync(file, 'utf8'))
  const data = join(folder, 'data')
  mkdirSync(data, { recursive: true })
  chmodSync(data, 0o1777)
  spec.root.readonly = true
  spec.process.terminal = false
  spec.process.user = STRANGER
  spec.process.noNewPrivileges = true
  spec.process.capabilities = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] }
  spec.process.args = [...spec.process.args.slice(0, 2), ...args]
  spec.process.env.push(...Object.entries(env).map(([name, value]) => `${name}=${value}`))
  spec.linux.namespaces = spec.linux.namespaces.filter(({ type }: { type: string }) => type !== 'network')
  const tmp = { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] }
  const volume = { destination: '/data', type: 'bind', source: data, options: ['rbind', 'rw'] }
  spec.mounts = [
    ...spec.mounts.filter(({ destination }: { destination: string }) => destination !== '/data'),
    tmp,
    volume,
  ]
  writeFileSync(file, JSON.stringify(spec))
}

const NAME = `handset-check-${process.pid}`
const inside = (...args: readonly string[]) => spawnSync('runc', ['exec', NAME, ...args], { encoding: 'utf8' })
const NODE = '/usr/local/bin/node'

const statusUnder = async (port: string, host: string): Promise<number> => {
  const [answer] = await once(
    get({ host: '127.0.0.1', port, path: '/control/v1/openapi.json', headers: { host } }),
    'response',
  )
  answer.resume()
  return answer.statusCode
}

const expect = (what: string, is: unknown, wanted: unknown): void => {
  if (is !== wanted) throw new Error(`${what}: expected ${wanted}, got ${is}`)
  say(what)
}

const signIn = async (controlUrl: string, token: string): Promise<string> => {
  const handset = await connectHandset({ controlUrl, token })
  const rp = await handset.rp()
  const phone = await handset.phone({ passkeys: [{ user_id: 'u-1' }] })
  const message = await rp.signIn({ user_id: 'u-1', username: 'alice', method: 'qrcode' })
  await phone.scan(message.url)
  await phone.approve()
  const { status } = await message.result({ intervalMs: 50 })
  rp.close()
  return status
}

const check = async (): Promise<void> => {
  const bundle = unpack()
  say('the archive unpacks')
  const port = String(await freePort())
  configure(bundle, ['serve', '--json'], { HANDSET_PORT: port, HANDSET_ALLOW_HOST: 'handset' })
  const child = spawn('runc', ['run', '--bundle', bundle, NAME], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`the container ended with ${code}`))),
  ])
  const { control_url, token } = JSON.parse(String(line))
  say('it starts as another user, on a read-only root, without any capability')
  expect('it runs as that user', inside(NODE, '-p', 'process.getuid()').stdout.trim(), String(STRANGER.uid))
  const denied = inside(NODE, '-e', "process.getBuiltinModule('fs').writeFileSync('/opt/handset/x', '')")
  expect('its root cannot be written', denied.status !== 0 && denied.stderr.includes('EROFS'), true)
  expect('the health check is content', inside(NODE, '/opt/handset/health.mjs').status, 0)
  expect(
    'the health check of a port where nothing answers is not',
    inside('/usr/bin/env', 'HANDSET_PORT=1', NODE, '/opt/handset/health.mjs').status === 0,
    false,
  )
  expect('it answers to its service name', await statusUnder(port, `handset:${port}`), 200)
  expect('it answers to the published port', await statusUnder(port, `localhost:${port}`), 200)
  expect('it answers to no other name', await statusUnder(port, `elsewhere.example:${port}`), 403)
  expect('a user signs in', await signIn(control_url, token), 'success')
  run('runc', ['kill', NAME, 'TERM'])
  const [code] = await ended
  expect('it ends with 0 when it is told to', code, 0)
}

try {
  await check()
} finally {
  spawnSync('runc', ['delete', '--force', NAME], { stdio: 'ignore' })
  rmSync(folder, { recursive: true, force: true })
}
