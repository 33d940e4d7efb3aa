import { beforeAll, expect, test } from 'vitest'
import { ALICE, cast } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { beginCommand } from '../support/run-command.ts'

const bench = benchOfFile()
let rp = ''
beforeAll(async () => {
  rp = (await bench.client.call('rps.list')).rps[0]?.id ?? ''
})

const begin = (args: readonly string[], stop = new AbortController().signal) =>
  beginCommand(['why', ...args], bench.bench, { stop })
const lastExchange = async () => {
  const { events } = await bench.client.call('events.list', { query: { kind: 'exchange', limit: 1, latest: true } })
  return String(events[0]?.seq)
}
/** The demo RP's request, signed with another secret. */
const refused = async () => {
  await bench.client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  await bench.client.call('events.resend', { params: { seq: await lastExchange() }, body: { signing: 'other_secret' } })
  return lastExchange()
}

test('where nothing failed it says so, with exit code 1', async () => {
  const { ended, out, errors } = begin([])
  expect({ code: await ended, out, errors: errors.length }).toEqual({ code: 1, out: [], errors: 1 })
})

test('of the last refused request it tells the code, the key and what to do, in at most ten lines', async () => {
  const seq = await refused()
  const [{ id: key = '' } = {}] = (await bench.client.call('keys.list', { params: { rp } })).keys
  for (const args of [[], [seq]]) {
    const { ended, out, errors } = begin(args)
    expect({ code: await ended, errors }).toEqual({ code: 0, errors: [] })
    expect(out[0]).toMatch(new RegExp(`^ *${seq} .*\\b40104\\b`))
    expect(out.join(' ')).toContain(key)
    expect(out.length).toBeLessThanOrEqual(10)
  }
})

test('of a failed ceremony it tells the step of WebAuthn and what came instead', async () => {
  const { phone } = await cast(bench.client, { account: { name: 'Alice', phone: '13812345678' } })
  const asked = await bench.client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  await bench.client.call('phones.arm', { params: { id: phone }, body: { fault: 'challenge-wrong' } })
  await bench.client.call('phones.scan', { params: { id: phone }, body: { url: asked.url ?? '' } })
  await bench.client.call('phones.approve', { params: { id: phone }, body: {} }).catch(() => undefined)
  const { ended, out } = begin([])
  expect(await ended).toBe(0)
  expect(out.join('\n')).toMatch(/\b7\.1\b/)
})

test('an event that is no failure is told from one that is', async () => {
  const { ended, errors } = begin(['1'])
  expect({ code: await ended, errors: errors.length }).toEqual({ code: 1, errors: 1 })
  expect(await begin(['one']).ended).toBe(2)
  expect(await begin(['1', '--follow']).ended).toBe(2)
})

test('with --follow it tells each failure once, until it is stopped', async () => {
  const stop = new AbortController()
  const { ended, out, errors } = begin(['--follow'], stop.signal)
  await expect.poll(() => errors.length).toBe(1)
  expect(out).toEqual([])
  const first = await refused()
  await expect.poll(() => out.filter((line) => line.includes('40104')).length).toBe(1)
  const second = await refused()
  await expect.poll(() => out.filter((line) => line.includes('40104')).length).toBe(2)
  stop.abort()
  expect(await ended).toBe(130)
  expect(out.filter((line) => line.includes('40104')).map((line) => line.trim().split(' ')[0])).toEqual([first, second])
})
