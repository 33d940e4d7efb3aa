import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type LoadReport, loadReportSchema } from '../../../src-main/core/contract/load-report.ts'
import { findProblem } from '../../../src-main/core/contract/validate.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { runCommand } from '../../support/run-command.ts'
import { serveBriefly } from '../../support/serve-briefly.ts'
import { folderOfFile } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')

const it = benchOfFile()
const folder = folderOfFile()

type More = Parameters<typeof runCommand>[2]
const load = (args: readonly string[], more: More = {}) => runCommand(['load', ...args], undefined, { root, ...more })

const key = (): string => `${it.bench.rp?.accessKeyId}:${it.bench.rp?.secretKey}`
const service = (): readonly string[] => [
  '--base-url',
  it.bench.baseUrl,
  '--app-url',
  it.bench.baseUrl.replace('/fido', '/app'),
]
const signed = (): More => ({ env: { HANDSET_ACCESS_KEY: key() } })
const reportIn = (text: string): LoadReport => JSON.parse(text)

test('a service by its address: registrations and sign-ins, the report fits its schema, and nothing is left there', async () => {
  const args = [...service(), '--rp-id', 'localhost', '--users', '18', '--rate', '60', '--duration', '300ms']
  const more = ['--mix', 'register=1,auth=2', '--arrivals', 'fixed', '--seed', '4', '--json', '--out', folder]
  const { code, out, errors } = await load([...args, ...more, '--report', 'html,json'], signed())
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  const report = reportIn(out)
  expect(findProblem(report, loadReportSchema)).toBe(undefined)
  expect(reportIn(readFileSync(join(folder, 'load.json'), 'utf8'))).toEqual(report)
  expect(readFileSync(join(folder, 'load.html'), 'utf8')).toContain('</html>')
  expect(report).toMatchObject({ outcome: 'passed', counts: { arrived: 18, done: 18, failed: 0, dropped: 0 } })
  expect(report.counts.registered).toBeGreaterThan(0)
  expect(report.counts.registered + report.counts.signed_in).toBe(18)
  expect(report.steps.map(({ ceremony, step }) => `${ceremony} ${step}`)).toEqual([
    ...['device', 'request', 'bind', 'answer', 'result'].map((step) => `register ${step}`),
    ...['request', 'bind', 'answer', 'result'].map((step) => `auth ${step}`),
  ])
  const { credentials } = await it.client.call('credentials.list')
  expect(credentials).toEqual([])
})

test('a bench that runs is loaded in a workspace of its own, which goes with the load; pushes are a part of each', async () => {
  const args = ['--attach', '--control-url', it.bench.controlUrl, '--users', '6', '--rate', '30', '--duration', '200ms']
  const { code, out } = await load([...args, '--push', '--json', '--arrivals', 'fixed'], {
    env: { HANDSET_TOKEN: it.bench.token },
  })
  expect(code).toBe(0)
  const report = reportIn(out)
  expect(report.target.base_url).toMatch(/\/w\/[^/]+\/fido$/)
  expect(report.steps.map(({ step }) => step)).toEqual(['request', 'push', 'bind', 'answer', 'result'])
  const { workspaces } = await it.client.call('workspaces.list')
  expect(workspaces.map(({ id }) => id)).toEqual(['main'])
})

test('Ctrl-C ends it with the figures so far', async () => {
  const stop = new AbortController()
  const args = [...service(), '--users', '2', '--rate', '50', '--duration', '1h', '--report', 'json', '--out', folder]
  const hears = (text: string): void => {
    if (/of 3600 s +[1-9]/.test(text)) stop.abort()
  }
  const { code, out } = await load(args, { ...signed(), stop: stop.signal, hears })
  expect(code).toBe(130)
  expect(out).toContain('when it was ended')
  const report = reportIn(readFileSync(join(folder, 'load.json'), 'utf8'))
  expect(report.outcome).toBe('stopped')
  expect(report.counts.done).toBeGreaterThan(0)
})

test('arrivals without a free user make exit code 1', async () => {
  const running = await load([...service(), '--users', '1', '--rate', '2000', '--duration', '100ms'], signed())
  expect(running.code).toBe(1)
  expect(running.out).toMatch(/\d+ dropped/)
})

const at = (url: string, ...more: readonly string[]) => ['--base-url', url, '--access-key', 'a:b', ...more]
const [LOCAL, BANK] = ['http://localhost:1/fido', 'https://bank.example/fido']
const ELSEWHERE = 'http://127.0.0.1.nip.example/app'

test.each<readonly [string, readonly string[], number, RegExp]>([
  ['more phones than may wait for pushes', ['--push', '--users', '10001'], 2, /from 1 to 10000/],
  ['a rate of nothing', ['--rate', '0'], 2, /--rate must be/],
  ['a rate that is no number', ['--rate', '1e3'], 2, /--rate must be/],
  ['a duration without unit', ['--duration', '30'], 2, /such as 30s or 5m; got "30"/],
  ['a duration too long', ['--duration', '25h'], 2, /to 24h/],
  ['a mix of something else', ['--mix', 'delete=1'], 2, /register and auth/],
  ['a mix of nothing', ['--mix', 'auth=0'], 2, /register and auth/],
  ['a part of the mix twice', ['--mix', 'auth=1,auth=2'], 2, /register and auth/],
  ['pushes without sign-ins', ['--push', '--mix', 'register=1'], 2, /--push is for sign-ins/],
  ['arrivals of another kind', ['--arrivals', 'closed'], 2, /poisson or fixed/],
  ['a report of another kind', ['--report', 'junit'], 2, /one of html, json/],
  ['a key for nothing', ['--access-key', 'a:b'], 2, /belongs to --base-url/],
  ['a token for nothing', ['--token', 'x'.repeat(24)], 2, /belongs to --attach/],
  ['no key', ['--base-url', 'http://localhost:1/fido'], 2, /needs an access key: HANDSET_ACCESS_KEY/],
  ['an address that is none', at('localhost:1/fido'), 2, /--base-url must be/],
  ['another machine', at(BANK), 2, /bank\.example is not this machine.*--yes-this-host bank\.example/],
  ['another machine than the named', at(BANK, '--yes-this-host', 'bank.test'), 2, /bank\.example is not this machine/],
  ['phones of another machine', at(LOCAL, '--app-url', ELSEWHERE), 2, /nip\.example is not this machine/],
  ['a host that is not loaded', at(LOCAL, '--yes-this-host', 'bank.test'), 2, /nothing there would be loaded/],
  ['nothing there', at(LOCAL), 3, /could not be registered/],
  ['no bench to attach to', ['--attach', '--data', '/nowhere/at/all'], 3, /no bench is running/],
])('says what is wrong with %s', async (_, args, code, problem) => {
  const answered = await load(args)
  expect({ code: answered.code, lines: answered.errors.length }).toEqual({ code, lines: 1 })
  expect(answered.errors[0]).toMatch(problem)
})

test('a wrong key is told by the part that failed, and the secret is not repeated', async () => {
  const secret = 'another-secret-entirely'
  const { code, errors } = await load([...service()], {
    env: { HANDSET_ACCESS_KEY: `${key().split(':')[0]}:${secret}` },
  })
  expect(code).toBe(3)
  expect(errors.join()).toMatch(/RP’s request: 40104/)
  expect(errors.join()).not.toContain(secret)
})

test('an access key of another RP is not loaded', async () => {
  const { code, errors } = await load([...service(), '--users', '1', '--rp-id', 'bank.example'], signed())
  expect(code).toBe(3)
  expect(errors.join()).toMatch(/RP ID localhost, not bank\.example/)
})

test('what answers without being a service is told, and does not hang', async () => {
  const origin = await serveBriefly((_, response) => void response.end('<html>'))
  const { code, errors } = await load(at(`${origin}/fido`))
  expect(code).toBe(3)
  expect(errors.join()).toMatch(/garbled/)
})
