import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { main } from '../../src-main/cli/main.ts'
import { serveOptions } from '../../src-main/cli/options.ts'
import { readOptions } from '../../src-main/cli/read-options.ts'
import { createRp } from '../../src-main/sdk/rp.ts'
import { benchForTests } from '../../src-main/sdk/test-fixtures.ts'
import { allBlocks } from '../docs/code-blocks.ts'
import { freePort } from '../support/free-port.ts'
import { heardTerminal } from '../support/heard-terminal.ts'
import { ROOT } from '../support/imports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeArchive } from './image-archive.ts'
import { imageConfig } from './image-config.ts'

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { config, annotations } = imageConfig({ version: '1.2.3', revision: 'abc', created: 'now' })
const variables = (list: readonly string[]) => Object.fromEntries(list.map((one) => one.split(/=(.*)/s).slice(0, 2)))
const handsetOnly = (all: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('HANDSET_')))

const [, last = ''] = text('Dockerfile')
  .replaceAll('\\\n', ' ')
  .split(/^FROM \$\{NODE\}$/m)
const said = (word: string): string => new RegExp(`^${word} (.*)$`, 'm').exec(last)?.[1] ?? ''

test('[package.image] the Dockerfile: it says the same as the archive that is made without it', () => {
  expect(said('USER')).toBe(config.User)
  expect(said('WORKDIR')).toBe(config.WorkingDir)
  expect([said('VOLUME')]).toEqual(Object.keys(config.Volumes))
  expect([`${said('EXPOSE')}/tcp`]).toEqual(Object.keys(config.ExposedPorts))
  expect(said('STOPSIGNAL')).toBe(config.StopSignal)
  expect(JSON.parse(said('ENTRYPOINT'))).toEqual(config.Entrypoint)
  expect(JSON.parse(said('CMD'))).toEqual(config.Cmd)
  expect(variables(said('ENV').split(/\s+/))).toEqual(variables(config.Env.filter((one) => !one.startsWith('PATH='))))
  const labels = [...said('LABEL').matchAll(/([\w.]+)="(.*?)"/g)].map(([, name = '', value = '']) => [name, value])
  expect(labels.map(([name]) => name)).toEqual(Object.keys(annotations))
  expect(Object.fromEntries(labels)).toMatchObject({
    'org.opencontainers.image.description': annotations['org.opencontainers.image.description'],
  })
  const [, interval, timeout, start, retries, command = ''] =
    /--interval=(\d+)s --timeout=(\d+)s --start-period=(\d+)s --retries=(\d+) CMD (.*)$/.exec(said('HEALTHCHECK')) ?? []
  const { Interval, Timeout, StartPeriod, Retries, Test } = config.Healthcheck
  expect([interval, timeout, start].map((seconds) => Number(seconds) * 1e9)).toEqual([Interval, Timeout, StartPeriod])
  expect(Number(retries)).toBe(Retries)
  expect(['CMD', ...JSON.parse(command)]).toEqual(Test)
})

test('[package.image] the Dockerfile: its variables are options of the program', () => {
  expect(() => readOptions(serveOptions, [], handsetOnly(variables(config.Env)))).not.toThrow()
})

test.runIf(process.platform === 'linux')(
  '[package.image] one archive has both architectures, and what they share once',
  () => {
    const folder = temporaryFolder()
    const layerOf = (says: string) => {
      mkdirSync(join(folder, says), { recursive: true })
      writeFileSync(join(folder, says, 'file'), says)
      return { folder: join(folder, says), says }
    }
    const architectures = ['amd64', 'arm64']
    const platforms = architectures.map((one) => ({ architecture: one, layers: [one, 'shared'].map(layerOf) }))
    const layout = join(folder, 'layout')
    const image = { name: 'handset:1.2.3', created: 'now', config, annotations, platforms }
    writeArchive(image, { folder: layout, file: join(folder, 'tar') })
    const used = new Set<string>()
    const read = (json: string): unknown =>
      JSON.parse(json, (_, value) => {
        if (value?.digest === undefined) return value
        const octets = readFileSync(join(layout, 'blobs', value.digest.replace(':', '/')))
        const digest = `sha256:${createHash('sha256').update(octets).digest('hex')}`
        expect({ digest, size: octets.length }).toEqual({ digest: value.digest, size: value.size })
        used.add(digest)
        return value.mediaType.endsWith('json') ? { ...value, content: read(octets.toString()) } : value
      })
    const manifests = architectures.map((architecture) => ({
      platform: { architecture, os: 'linux' },
      content: { config: { content: { architecture } } },
    }))
    expect(read(readFileSync(join(layout, 'index.json'), 'utf8'))).toMatchObject({
      manifests: [{ content: { manifests } }],
    })
    // An index, and of each architecture a manifest, a configuration and a layer of its own; one layer is shared.
    expect([used.size, readdirSync(join(layout, 'blobs/sha256')).length]).toEqual([8, 8])
  },
)

/** The variable of who calls compose, or none. */
const composeDefault = (name: string): string => ['${', name, ':-}'].join('')

const { services } = parse(text('compose.yaml'))
const { handset, shop } = services

test('[package.image] compose.yaml: the bench starts with its variables, and answers to the name of its service', () => {
  expect(readOptions(serveOptions, [], handset.environment).options['allow-host']).toEqual(['handset'])
  expect(handset.image).toContain(JSON.parse(text('package.json')).version)
})

test('[package.image] compose.yaml: tests can bring a token of their own; without one it is drawn', () => {
  expect(handset.environment.HANDSET_TOKEN).toBe(composeDefault('HANDSET_TOKEN'))
  const { options } = readOptions(serveOptions, [], { ...handset.environment, HANDSET_TOKEN: '' })
  expect(options.token).toBeUndefined()
})

test('[package.image] compose.yaml: the RP has the address and the key of the bench, and every variable that it reads', () => {
  expect(new URL(shop.environment.BASE_URL).host).toBe('handset:7420')
  const { ACCESS_KEY_ID, SECRET_KEY } = shop.environment
  expect(`${ACCESS_KEY_ID}:${SECRET_KEY}`).toBe(handset.environment.HANDSET_ACCESS_KEY)
  const program = text('clients/python/examples/shop.py')
  const needed = [...program.matchAll(/os\.environ\["(\w+)"\]/g)].map(([, name = '']) => name)
  expect(Object.keys(shop.environment)).toEqual(expect.arrayContaining(needed))
})

test('[package.image] compose.yaml: ports are published on this machine alone', () => {
  for (const port of [...handset.ports, ...shop.ports]) expect(port).toMatch(/^127\.0\.0\.1:/)
})

describe('the recipe for GitLab with the image', () => {
  const recipe = allBlocks.find(({ page, role }) => page === 'docs/using/ci.md' && role === 'gitlab-image')
  const { services, variables: shared } = parse(recipe?.text ?? '')['sign-in-beside-image']

  test('[package.image] one set of variables serves the bench, the tests and the RP', async () => {
    const { terminal, out } = heardTerminal()
    const stop = new AbortController()
    const port = String(await freePort())
    const about = { version: '0', root: '/nowhere', platform: 'linux' as const, terminal, stop: stop.signal }
    const ended = main(['serve', '--memory', '--json', '--port', port], { ...about, env: handsetOnly(shared) })
    onTestFinished(async () => {
      stop.abort()
      await ended
    })
    await expect.poll(() => out[0] ?? '').toContain('"ready":true')
    const here = (url: string): string => url.replace('//handset:7420', `//localhost:${port}`)
    const handset = await benchForTests({ ...shared, HANDSET_CONTROL_URL: here(shared.HANDSET_CONTROL_URL) })
    const { FIDO_BASE_URL, FIDO_ACCESS_KEY_ID: accessKeyId, FIDO_SECRET_KEY: secretKey } = shared
    const rp = createRp({ baseUrl: here(FIDO_BASE_URL), accessKeyId, secretKey })
    onTestFinished(() => rp.close())
    const phone = await handset.phone()
    const message = await rp.register({ user_id: 'u-1', username: 'alice' })
    await phone.scan(message.url)
    await phone.approve()
    expect(await message.verified()).toMatchObject({ status: 'success' })
    expect([shared.HANDSET_ALLOW_HOST, new URL(FIDO_BASE_URL).hostname]).toEqual(Array(2).fill(services[0].alias))
  })
})
