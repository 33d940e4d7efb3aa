import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { createRpClient, type RpClient } from '../../src-main/sdk/rp.ts'
import { ALICE, cast } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'

const bench = benchOfFile()
let rp: string
let own: RpClient
beforeAll(async () => {
  rp = (await cast(bench.client)).rp
  const { key, secret } = await bench.client.call('keys.create', { params: { rp }, body: {} })
  own = createRpClient({ baseUrl: bench.bench.baseUrl, accessKeyId: key.id, secretKey: secret, now: Date.now })
})
afterAll(() => own.close())

/** Who asked for the RP's calls that came after this event, oldest first. */
const askers = async (after: number): Promise<readonly (string | undefined)[]> => {
  const { events } = await bench.client.call('events.list', { query: { after, kind: 'exchange' } })
  return (events as readonly BenchEvent[]).flatMap((event) =>
    event.kind === 'exchange' && event.interface === 'rp' ? [event.asked_by] : [],
  )
}

const seq = async () => (await bench.client.call('overview')).last_seq
const params = () => ({ rp })
const signIn = { user_id: 'nobody', username: 'nobody', method: 'qrcode', poll: false } as const

it('a call of the simulator carries the word of its caller, also when it is refused', async () => {
  const after = await seq()
  const body = { ...ALICE, poll: false, asked_by: 'page-one' } as const
  const { msg_id } = await bench.client.call('simulator.register', { params: params(), body })
  await bench.client.call('simulator.poll', { params: { rp, msg_id }, body: {} })
  const refused = bench.client.call('simulator.sign-in', {
    params: params(),
    body: { ...signIn, asked_by: 'page-two' },
  })
  await expect(refused).rejects.toMatchObject({ code: 40403 })
  expect(await askers(after)).toEqual(['page-one', 'page-one', 'page-two'])
})

it('a call of the simulator whose caller gives no word says that the control interface asked', async () => {
  const after = await seq()
  await bench.client.call('simulator.credentials', { params: params(), query: { user_id: 'alice' } })
  expect(await askers(after)).toEqual(['control'])
})

it('a call that another client signs with a key of the same RP carries no word', async () => {
  const after = await seq()
  await own.register(ALICE)
  await fetch(`${bench.bench.baseUrl}/rp/credentials?user_id=alice`)
  expect(await askers(after)).toEqual([undefined, undefined])
})

it('a request of the simulator that another client sends again is not the simulator’s', async () => {
  const after = await seq()
  await bench.client.call('simulator.credentials', { params: params(), query: { user_id: 'alice' } })
  const { events } = await bench.client.call('events.list', { query: { after, kind: 'exchange' } })
  const [first] = events as readonly BenchEvent[]
  if (first?.kind !== 'exchange') throw new Error('there is no exchange')
  const headers = first.request.headers.filter(([name]) => !/^(host|connection)$/i.test(name))
  const { origin } = new URL(bench.bench.baseUrl)
  const again = await fetch(origin + first.request.target, { headers: headers.map(([...pair]) => pair) })
  expect(again.status).toBe(200)
  expect(await askers(after)).toEqual(['control', undefined])
})

it('a word that could not stand in an event is refused', async () => {
  const asked = bench.client.call('simulator.credentials', {
    params: params(),
    query: { user_id: 'alice', asked_by: 'two words' },
  })
  await expect(asked).rejects.toMatchObject({ code: 40002 })
})
