import { describe, expect, test } from 'vitest'
import { guardPage, ourHosts } from '../../src-main/http/page-guard.ts'

describe('which Host is ours', () => {
  test.each<[string, boolean]>([
    ['localhost:7420', true],
    ['127.0.0.1:7420', true],
    ['[::1]:7420', true],
    ['shop.localhost:7420', true],
    ['localhost', false],
    ['localhost:7421', false],
    ['localhost.example:7420', false],
    ['192.168.1.2:7420', false],
    ['evil.example:7420', false],
    ['', false],
    ['localhost:7420 ', false],
    ['localhost:7420,evil.example', false],
    ['user@localhost:7420', false],
    ['a b.localhost:7420', false],
    ['evil.com/.localhost:7420', false],
    ['evil.com?.localhost:7420', false],
    ['.localhost:7420', false],
    ['a..localhost:7420', false],
    ['localhost:99999', false],
  ])('%j: %s', (host, ours) => expect(ourHosts({ port: 7420 })(host)).toBe(ours))

  test('a name it was given counts with its port, and as it was given', () => {
    const isOurs = ourHosts({ port: 7420, names: ['Bench.example:8443', 'desk.local'] })
    expect(
      ['bench.example:8443', 'desk.local', 'desk.local:7420', 'bench.example', 'desk.local:1'].map(isOurs),
    ).toEqual([true, true, true, false, false])
  })

  test('a server that listens everywhere takes any literal address, never a foreign name', () => {
    const isOurs = ourHosts({ port: 7420, anyAddress: true })
    expect(['192.168.1.2:7420', '[fe80::1]:7420', 'evil.example:7420', '192.168.1.2:1'].map(isOurs)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('on port 80 the port may be left out', () => {
    expect(ourHosts({ port: 80 })('localhost')).toBe(true)
  })
})

describe('the guard', () => {
  const rules = {
    isOurHost: (host: string) => host === 'us',
    isAllowedOrigin: (origin: string) => origin === 'https://friend.example',
  }
  const guard = (...headers: [string, string][]) => guardPage({ headers }, rules)

  test('lets programs pass: they send no Origin', async () => {
    expect(await guard(['Host', 'us'])).toEqual({ ok: true, value: [] })
  })

  test('refuses a foreign Host before it looks at the Origin', async () => {
    expect(await guard(['Host', 'them'], ['Origin', 'https://friend.example'])).toMatchObject({
      ok: false,
      error: { name: 'foreign_host' },
    })
  })

  test.each([
    ['handset:7420', true],
    ['evil.example', true],
    ['', false],
    ['a b', false],
    ['-x; rm', false],
    ['handset:7420"', false],
  ])('says of the Host %j how it could be allowed: %s', async (name, says) => {
    const refused = await guard(['Host', name])
    expect(refused).toMatchObject({ ok: false, error: { reason: { code: says ? 'host_could_be_allowed' : 'got' } } })
  })

  test('refuses a foreign Origin', async () => {
    expect(await guard(['Host', 'us'], ['Origin', 'https://foe.example'])).toMatchObject({
      ok: false,
      error: { name: 'foreign_origin' },
    })
  })

  test('refuses two Origins, even where the first is allowed', async () => {
    const origins = ['https://friend.example', 'https://foe.example'].map((each): [string, string] => ['Origin', each])
    expect(await guard(['Host', 'us'], ...origins)).toMatchObject({ ok: false, error: { name: 'foreign_origin' } })
  })

  test('gives an allowed origin the headers that name it alone', async () => {
    const cors = await guard(['Host', 'us'], ['Origin', 'https://friend.example'])
    expect(cors.ok && cors.value).toContainEqual(['Access-Control-Allow-Origin', 'https://friend.example'])
    expect(cors.ok && cors.value).toContainEqual(['Vary', 'Origin'])
  })
})
