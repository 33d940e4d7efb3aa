import { expect, test } from 'vitest'
import { benchAddresses } from '../../src-main/control/bench-addresses.ts'

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
