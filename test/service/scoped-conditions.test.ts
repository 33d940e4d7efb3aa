import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Body, ControlClient } from '../../src-main/sdk/client.ts'
import { ALICE, cast, codeOf, register, startTestBench, type TestBench } from '../support/bench.ts'

let bench: TestBench
let client: ControlClient
let ids: Awaited<ReturnType<typeof cast>>
beforeAll(async () => {
  bench = await startTestBench()
  client = bench.client
  ids = await cast(client)
  await register(client, ids)
  return bench.close
})
afterEach(() => client.call('conditions.delete'))

const BOB = { user_id: 'u-2', username: 'bob' }
const put = (body: Body<'conditions.put'>) => client.call('conditions.put', { body })
const begin = async (user: typeof ALICE) => {
  const body = { ...user, poll: false }
  return client.call('simulator.register', { params: { rp: ids.rp }, body })
}
/** The code with which the service refuses a poll of this message, or 0. */
const polled = async (msg_id: string): Promise<number> =>
  (await client.call('simulator.poll', { params: { rp: ids.rp, msg_id } })).refusal?.code ?? 0
const FAILING = { fail_percent: 100 }

describe('conditions with a scope', () => {
  it('hold for the calls about one user, and for no other', async () => {
    const [hers, his] = [await begin(ALICE), await begin(BOB)]
    await put({ rp: FAILING, scope: { user_id: ALICE.user_id } })
    expect([await polled(hers.msg_id), await polled(his.msg_id)]).toEqual([50301, 0])
    expect([await codeOf(begin(ALICE)), await codeOf(begin(BOB))]).toEqual([50301, 0])
  })

  it('hold for the calls about a message', async () => {
    const [one, other] = [await begin(ALICE), await begin(ALICE)]
    await put({ rp: FAILING, scope: { msg_id: one.msg_id } })
    expect([await polled(one.msg_id), await polled(other.msg_id)]).toEqual([50301, 0])
  })

  it('hold for the calls of a phone', async () => {
    const { id } = await client.call('phones.create', { body: { name: 'Bob’s phone' } })
    await put({ app: FAILING, scope: { phone: id } })
    const { url } = await begin(ALICE)
    const scanned = (phone: string) => codeOf(client.call('phones.scan', { params: { id: phone }, body: { url } }))
    expect([await scanned(id), await scanned(ids.phone)]).toEqual([40906, 0])
  })

  it('count down on their own, and are gone when they are used up', async () => {
    const [hers, his] = [await begin(ALICE), await begin(BOB)]
    await put({ rp: { fail_next: 1 }, scope: { user_id: ALICE.user_id } })
    await put({ rp: { fail_next: 2 }, scope: { user_id: BOB.user_id } })
    const codes = [await polled(hers.msg_id), await polled(hers.msg_id), await polled(his.msg_id)]
    expect(codes).toEqual([50301, 0, 50301])
    const { scoped } = await client.call('conditions.get')
    expect(scoped?.map(({ scope, rp }) => [scope, rp.fail_next])).toEqual([[{ user_id: BOB.user_id }, 1]])
  })

  it('refuse a call whose answer is to be lost, and that is lost as well', async () => {
    const { msg_id } = await begin(ALICE)
    await put({ rp: { lose_next: 1 } })
    await put({ rp: { fail_next: 1 }, scope: { user_id: ALICE.user_id } })
    const { refusal } = await client.call('simulator.poll', { params: { rp: ids.rp, msg_id } })
    expect(refusal?.code).toBe(0)
    expect((await client.call('conditions.get')).scoped).toBeUndefined()
  })

  it('outlast what others set for everybody and for scopes of their own, and end alone', async () => {
    const [hers, his] = [{ user_id: ALICE.user_id }, { user_id: BOB.user_id }]
    await put({ rp: FAILING, scope: hers })
    await put({ rp: FAILING, scope: his })
    await put({ rp: { latency_ms: 1 } })
    await client.call('conditions.patch', { body: { rp: { fail_code: 42901 }, scope: hers } })
    expect([await codeOf(begin(ALICE)), await codeOf(begin(BOB))]).toEqual([42901, 50301])
    const left = await client.call('conditions.delete', { query: hers })
    expect([left.rp.latency_ms, left.scoped?.map(({ scope }) => scope)]).toEqual([1, [his]])
    expect(await client.call('conditions.delete')).not.toHaveProperty('scoped')
  })

  it('return with a snapshot', async () => {
    const before = await put({ app: { lose_next: 3 }, scope: { user_id: 'u-9' } })
    const { id } = await client.call('snapshots.create', { body: {} })
    await client.call('conditions.delete')
    await client.call('snapshots.restore', { params: { id }, body: {} })
    expect(await client.call('conditions.get')).toEqual(before)
  })

  it.each([{}, { account: 'a' }, { user_id: '' }])('are refused for the scope %j', async (scope) => {
    expect(await codeOf(put({ rp: FAILING, scope }))).toBe(40002)
  })

  it('are refused for one scope more than the most', async () => {
    const { id } = await client.call('workspaces.create', { body: {} })
    const own = client.workspace(id)
    const put = (n: number) => own.call('conditions.put', { body: { rp: FAILING, scope: { user_id: `u-${n}` } } })
    await Promise.all(Array.from({ length: 100 }, (_, n) => put(n)))
    expect(await codeOf(put(100))).toBe(40902)
    expect(await codeOf(put(1))).toBe(0)
  })
})
