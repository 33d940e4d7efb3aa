import { expect, test } from 'vitest'
import { benchAddresses } from '../../../src-main/bench/control/bench-addresses.ts'

const listening = (options: Partial<Parameters<typeof benchAddresses>[0]>) =>
  benchAddresses({
    port: 7420,
    hosts: [],
    prefix: '/fido',
    machineAddresses: () => ['192.0.2.7', '2001:db8::7'],
    ...options,
  })

test.each([
  [{ hosts: ['0.0.0.0'] }, ['http://192.0.2.7:7420', 'http://[2001:db8::7]:7420', 'http://localhost:7420']],
  [{ hosts: ['desk.example'] }, ['http://desk.example:7420']],
  [{ publicUrl: 'https://bench.example' }, ['https://bench.example', 'http://127.0.0.1:7420']],
  [{ allowHosts: ['handset', 'box:8080'] }, ['http://handset:7420', 'http://box:8080', 'http://[::1]:7420']],
  [{ port: 80 }, ['http://localhost']],
])('[cli.options] with %j, pages of these origins are ours: %j', (options, origins) => {
  const { isOurOrigin } = listening(options)
  expect(origins.filter((origin) => !isOurOrigin(origin))).toEqual([])
})

test.each([
  [
    { hosts: ['0.0.0.0'] },
    ['http://203.0.113.9:7420', 'http://0.0.0.0:7420', 'https://192.0.2.7:7420', 'http://192.0.2.7'],
  ],
  [{ hosts: ['desk.example'] }, ['http://desk.example', 'https://desk.example:7420', 'http://localhost:7420']],
  [
    { publicUrl: 'https://bench.example' },
    ['http://bench.example', 'https://bench.example:8443', 'http://bench.example:7420'],
  ],
  [{ allowHosts: ['handset'] }, ['http://handset', 'http://handset:8080', 'http://handset.evil:7420', 'null', '']],
  [{}, ['http://evil.localhost:7420', 'http://192.0.2.7:7420', 'http://localhost:7420/', 'http://LOCALHOST:7420']],
])('[cli.options] with %j, pages of these origins are not: %j', (options, origins) => {
  const { isOurOrigin } = listening(options)
  expect(origins.filter(isOurOrigin)).toEqual([])
})

test('[cli.options] a host that was allowed is ours with its port, and no other name is', () => {
  const { isOurHost } = listening({ hosts: ['0.0.0.0'], allowHosts: ['handset', 'box:8080'] })
  expect(['handset:7420', 'handset', 'box:8080'].map(isOurHost)).toEqual([true, true, true])
  expect(['handset:1', 'box:7420', 'other:7420'].map(isOurHost)).toEqual([false, false, false])
})

const at = (hosts: readonly string[], publicUrl?: string) =>
  benchAddresses({ port: 7420, hosts, prefix: '/fido', ...(publicUrl === undefined ? {} : { publicUrl }) })

test.each([
  [[], 'localhost'],
  [['127.0.0.1'], 'localhost'],
  [['192.0.2.1', '127.0.0.1'], 'localhost'],
  [['0.0.0.0'], 'localhost'],
  [['::'], 'localhost'],
  // On many machines the name localhost leads to 127.0.0.1 alone.
  [['::1'], '[::1]'],
  [['127.0.0.2'], '127.0.0.2'],
  [['192.0.2.1', '192.0.2.2'], '192.0.2.1'],
])('[cli.options] listening on %j, base_url names a host that leads there: %s', (hosts, name) => {
  const addresses = at(hosts)
  expect(addresses.baseUrl('main')).toBe(`http://${name}:7420/fido`)
  expect(addresses.baseUrl('two')).toBe(`http://${name}:7420/w/two/fido`)
  expect(addresses.isOurHost(`${name}:7420`)).toBe(true)
  expect(addresses.isOurOrigin(`http://${name}:7420`)).toBe(true)
})

test('[cli.options] behind a proxy, its name is ours as well, and phones of the bench go the short way', () => {
  const addresses = at([], 'https://bench.example')
  expect(addresses.baseUrl('two')).toBe('https://bench.example/w/two/fido')
  expect(addresses.ownBaseUrl('two')).toBe('http://localhost:7420/w/two/fido')
  for (const host of ['bench.example', 'localhost:7420']) expect(addresses.isOurHost(host)).toBe(true)
  expect(addresses.isOurHost('other.example')).toBe(false)
  expect(addresses.isOurOrigin('https://bench.example')).toBe(true)
  expect(addresses.isOurOrigin('http://bench.example:81')).toBe(false)
})
