import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atPort, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { noPgbouncer, startPgbouncer } from '../support/postgres/start-pgbouncer.ts'
import { type Processes, startProcesses } from '../support/postgres/start-processes.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { makeSoftKey, registrationResponse } from '../support/service/soft-key.ts'
import { type SoftPhone, softPhone } from '../support/service/soft-phone.ts'

type Way = { readonly name: string; readonly more: string; readonly pooled: boolean }
const ways: readonly Way[] = [
  { name: 'with notifications', more: '', pooled: false },
  { name: 'without notifications', more: '&notifications=off', pooled: false },
  ...(noPgbouncer ? [] : [{ name: 'through PgBouncer in transaction mode', more: '', pooled: true }]),
]

describe.skipIf(noPostgres || noHaproxy).each(ways)(
  'three service processes behind a balancer, $name',
  ({ more, pooled }) => {
    let all: Processes
    let rp: ReturnType<typeof rpClient>
    let phone: SoftPhone
    const ends: (() => Promise<void>)[] = []
    beforeAll(async () => {
      let url = newSchemaUrl(more)
      if (pooled) {
        const pooler = await startPgbouncer(Number(new URL(url).port))
        ends.push(pooler.stop)
        url = atPort(url, pooler.port)
      }
      all = await startProcesses(url)
      ends.unshift(all.stop)
      rp = rpClient(all.running, all.rp)
      phone = await softPhone(all.running)
      await phone.register(msgIdOf(await rp.register('u1')))
    })
    afterAll(async () => {
      for (const end of ends.splice(0)) await end()
    })

    /** Those of another process may come later than what followed them. */
    const allMoves = async (msg_id: string, end: 'success' | 'timeout'): Promise<void> => {
      for (const to of ['init', 'bind', end] as const) {
        await all.client.call('events.wait', { body: { match: { kind: 'message', msg_id, to }, after: 0 } })
      }
    }

    test('the bench has the events of all processes, each once, under numbers without a gap', async () => {
      const id = msgIdOf(await rp.authenticate('u1'))
      await phone.authenticate(id)
      await rp.authenticationResult(id)
      await all.client.call('events.wait', { body: { match: { kind: 'delivery', msg_id: id }, after: 0 } })
      await allMoves(id, 'success')
      const { events } = await all.client.call('events.list', { query: { limit: 1000 } })
      const moves = events.flatMap((event) => (event.kind === 'message' && event.msg_id === id ? [event.to] : []))
      expect(moves.sort()).toEqual(['bind', 'init', 'success'])
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => (events[0]?.seq ?? 0) + n))
    })

    test('the bench has the second opinion of each ceremony, whichever process judged it', async () => {
      for (let n = 0; n < 3; n++) {
        const id = msgIdOf(await rp.authenticate('u1'))
        await phone.authenticate(id)
        const verdict = await all.client.call('events.wait', {
          body: { match: { kind: 'verdict', msg_id: id }, after: 0 },
        })
        expect(verdict).toMatchObject({ second_opinion: { heard: true, accepts: true } })
      }
    })

    test('a counter of the conditions or of a fault goes down once for all processes together', async () => {
      const { client } = all
      const codes = async () =>
        (await Promise.all(Array.from({ length: 40 }, () => rp.list('u1')))).map(({ json }) => json.code)
      await client.call('conditions.patch', { body: { rp: { fail_next: 7, fail_code: 50301 } } })
      expect((await codes()).filter((code) => code === 50301)).toHaveLength(7)
      await client.call('service.arm', { body: { fault: 'list-refused', times: 5 } })
      expect((await codes()).filter((code) => code === 50001)).toHaveLength(5)
      expect(await client.call('service.faults')).toEqual({ faults: [] })
    })

    test('conditions and faults for one virtual phone of the bench count in every process', async () => {
      const { client } = all
      const create = async (name: string) => (await client.call('phones.create', { body: { name } })).id
      /** Messages that this phone has taken. */
      const takenBy = async (phone: string): Promise<readonly string[]> => {
        const messages: string[] = []
        for (let n = 0; n < 4; n++) {
          const made = await rp.register(`${phone} ${n}`)
          await client.call('phones.scan', { params: { id: phone }, body: { url: made.json.data.url } })
          messages.push(msgIdOf(made))
        }
        return messages
      }
      const states = async (ids: readonly string[]) => {
        const answers = await Promise.all(ids.map((id) => rp.registrationResult(id)))
        return [...new Set(answers.map(({ json }) => (json.code === 0 ? json.data.status : json.code)))]
      }
      const [one, two] = [await create('One'), await create('Two')]
      const [hers, his] = [await takenBy(one), await takenBy(two)]
      await client.call('conditions.put', { body: { rp: { fail_percent: 100 }, scope: { phone: one } } })
      expect([await states(hers), await states(his)]).toEqual([[50301], ['bind']])
      await client.call('conditions.delete', {})
      const fault = { fault: 'registered-not-stored', probability: 1, scope: { phone: two } } as const
      await client.call('service.arm', { body: fault })
      expect([await states(hers), await states(his)]).toEqual([['bind'], ['success']])
      await client.call('service.disarm-all', {})
    })

    test('answer against expiry: of each message one of both holds, and every process says the same', async () => {
      const { client } = all
      await client.call('profile.patch', { body: { skew_clock: 'wall' } })
      for (let round = 0; round < 8; round++) {
        const user = `race ${round}`
        const id = msgIdOf(await rp.register(user))
        const { public_key } = (await phone.bind(id)).json.data
        const contest = [
          () => phone.attest(id, { response: registrationResponse(makeSoftKey(), public_key) }),
          () => client.call('clock.advance', { body: { ms: 600_000 } }),
        ]
        // Each of the two begins first as often as the other.
        const under = (round % 2 === 0 ? contest : contest.toReversed()).map((begin) => begin())
        await Promise.all(under)
        const { json } = (await under[round % 2]) as Awaited<ReturnType<typeof phone.attest>>
        const isIn = json.code === 0
        expect(isIn ? json.data.status : json.code).toBe(isIn ? 'success' : 41002)
        const reads = (await Promise.all(Array.from({ length: 6 }, () => rp.registrationResult(id)))).map(({ json }) =>
          json.code === 0 ? json.data.status : json.code,
        )
        expect(reads.toSorted()).toEqual(isIn ? [...Array(5).fill(41001), 'success'] : Array(6).fill('timeout'))
        expect((await rp.list(user)).json.data.total).toBe(isIn ? 1 : 0)
        const to = isIn ? 'success' : 'timeout'
        await allMoves(id, to)
        const { events } = await client.call('events.list', { query: { msg_id: id, kind: 'message' } })
        const ends = events.flatMap((event) => (event.kind === 'message' ? [event.to] : []))
        expect(ends.toSorted()).toEqual(['bind', 'init', to].toSorted())
      }
      await client.call('profile.reset', {})
    })
  },
)
