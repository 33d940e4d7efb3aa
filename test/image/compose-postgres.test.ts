import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseBenchOptions } from '../../src-main/cli/bench-options.ts'
import { serveOptions } from '../../src-main/cli/options.ts'
import { readOptions } from '../../src-main/cli/read-options.ts'
import { parseRole } from '../../src-main/cli/serve.ts'
import { COMPOSE_ENV, composeBalancer, readCompose } from '../support/compose-postgres.ts'
import { ROOT } from '../support/imports.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { imageConfig } from './image-config.ts'

const { services, configs } = readCompose()
const { config } = imageConfig({ version: '1.2.3', revision: 'abc', created: 'now' })
const ofImage: Readonly<Record<string, string>> = Object.fromEntries(
  config.Env.map((one) => one.split(/=(.*)/s).slice(0, 2)),
)
const content = configs.balancer?.content ?? ''
const SERVICES = ['service-1', 'service-2', 'service-3']

const startedAs = (name: string) => {
  const env = { ...ofImage, ...services[name]?.environment }
  const own = Object.fromEntries(Object.entries(env).filter(([key]) => key.startsWith('HANDSET_')))
  const { options, named } = readOptions(serveOptions, [], own)
  const wanted = parseBenchOptions(options, named)
  return { options, wanted, part: parseRole(options, wanted, named) }
}

test('[package.image] compose.postgres.yaml: three services and one bench start with their variables, over one database', () => {
  for (const name of SERVICES) expect(startedAs(name).part).toEqual({ role: 'service' })
  const bench = startedAs('bench')
  expect(bench.part).toEqual({ role: 'bench', serviceUrl: 'http://handset:7420' })
  expect(bench.wanted.token).toBe(COMPOSE_ENV.CONTROL_TOKEN)
  expect(bench.wanted.dataDirectory).toBe('/data')
  const stores = [...SERVICES, 'bench'].map((name) => startedAs(name).wanted.database?.connection)
  expect(new Set(stores)).toEqual(new Set([`postgres://handset:${COMPOSE_ENV.DATABASE_PASSWORD}@database/handset`]))
  expect(services.database?.environment).toMatchObject({ POSTGRES_USER: 'handset', POSTGRES_DB: 'handset' })
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of [...SERVICES, 'bench']) expect(services[name]?.image).toContain(version)
})

test('[package.image] compose.postgres.yaml: the balancer has each of them, notices an end before the drain is over, and is the only one that is published', () => {
  const servers = [...content.matchAll(/^ +server (\S+) (\S+):7420$/gm)].map(([, name, host]) => `${name} ${host}`)
  expect(servers).toEqual([...SERVICES, 'bench'].map((name) => `${name} ${name}`))
  for (const [, inter, fall] of content.matchAll(/inter (\d+)s fall (\d+)/g)) {
    expect(Number(startedAs('service-1').options.drain)).toBeGreaterThan(Number(inter) * Number(fall) + 1)
  }
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
  expect(published).toEqual(['handset 127.0.0.1:7420:7420'])
})

test.skipIf(noHaproxy)('[package.image] HAProxy takes the configuration of compose.postgres.yaml as it stands', () => {
  const folder = temporaryFolder()
  const check = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    const { status, stderr } = spawnSync('/usr/sbin/haproxy', ['-c', '-f', file], { encoding: 'utf8' })
    return { status, stderr: stderr.replace(/^\[NOTICE\].*\n/gm, '') }
  }
  expect(check('as-it-stands', content)).toMatchObject({ status: 0 })
  expect(check('here', composeBalancer({ own: 7420, services: [1, 2, 3], bench: 4 }))).toMatchObject({ status: 0 })
  expect(check('wrong', content.replace('balance leastconn', 'balance wrong')).status).toBe(1)
})
