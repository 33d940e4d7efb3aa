import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { noPgbouncer, startPgbouncer } from '../support/postgres/start-pgbouncer.ts'
import { type Processes, startProcesses } from '../support/postgres/start-processes.ts'
import { ask } from '../support/service/raw-http.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
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
        const through = new URL(url)
        through.port = String(pooler.port)
        url = through.href
      }
      all = await startProcesses(url)
      ends.unshift(all.stop)
      rp = rpClient(all.running, all.rp)
      phone = await softPhone(all.running)
    })
    afterAll(async () => {
      for (const end of ends.splice(0)) await end()
    })

    test('a user registers and signs in by scan and by push, each request to another process', async () => {
      const id = msgIdOf(await rp.register('u1'))
      expect((await rp.registrationResult(id)).json.data).toEqual({ svc_user: '', status: 'init', error: '' })
      expect((await phone.register(id)).json.data).toEqual({ status: 'success', error: '' })
      expect((await rp.registrationResult(id)).json.data.status).toBe('success')
      expect((await rp.registrationResult(id)).json.code).toBe(41001)

      const scan = msgIdOf(await rp.authenticate('u1'))
      expect((await phone.authenticate(scan)).json.data).toEqual({ status: 'success', error: '' })
      expect((await rp.authenticationResult(scan)).json.data).toMatchObject({ status: 'success', user_id: 'u1' })

      const inbox = await phone.inbox()
      for (const n of ['1', '2', '3']) {
        const push = msgIdOf(await rp.authenticate('u1', 'push'))
        expect(await inbox.next()).toMatchObject({ event: 'message', id: n, data: { msg_id: push } })
        expect((await phone.authenticate(push)).json.data).toEqual({ status: 'success', error: '' })
        expect((await rp.authenticationResult(push)).json.data).toMatchObject({ status: 'success', user_id: 'u1' })
      }
      expect(inbox.waiting).toEqual([])
      inbox.close()
    })

    test('the bench has the events of all processes, each once and in their order', async () => {
      const id = msgIdOf(await rp.authenticate('u1'))
      await phone.authenticate(id)
      await rp.authenticationResult(id)
      await all.client.call('events.wait', { body: { match: { kind: 'delivery', msg_id: id }, after: 0 } })
      const { events } = await all.client.call('events.list', { query: { limit: 1000 } })
      const moves = events.flatMap((event) => (event.kind === 'message' && event.msg_id === id ? [event.to] : []))
      expect(moves.sort()).toEqual(['bind', 'init', 'success'])
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => (events[0]?.seq ?? 0) + n))
    })

    test('200 readers get one success, and 50 phones one bind', async () => {
      const id = msgIdOf(await rp.authenticate('u1'))
      expect((await phone.authenticate(id)).json.data.status).toBe('success')
      const reads = await Promise.all(Array.from({ length: 200 }, () => rp.authenticationResult(id)))
      expect(reads.filter(({ json }) => json.code === 0)).toHaveLength(1)
      expect(reads.filter(({ json }) => json.code === 41001)).toHaveLength(199)

      const phones = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          softPhone(all.running, { account: { name: 'P', phone: `1390000${1000 + n}` } }),
        ),
      )
      const wanted = msgIdOf(await rp.register('u2'))
      const binds = await Promise.all(phones.map(({ bind }) => bind(wanted)))
      expect(binds.filter(({ json }) => json.code === 0)).toHaveLength(1)
      expect(binds.filter(({ json }) => json.code === 40301)).toHaveLength(49)
    })

    test('what is set at the bench counts in every process for the next request', async () => {
      const { client } = all
      const { rps } = await client.call('rps.list')
      const key = { rp: rps[0]?.id ?? '', key: all.rp.key.id }
      const everywhere = async () =>
        new Set((await Promise.all(Array.from({ length: 9 }, () => rp.list('u1')))).map(({ json }) => json.code))
      for (let round = 0; round < 5; round++) {
        await client.call('profile.patch', { body: { authorization_forms: ['short'] } })
        expect(await everywhere()).toEqual(new Set([40102]))
        await client.call('profile.reset', {})
        expect(await everywhere()).toEqual(new Set([0]))
        await client.call('keys.patch', { params: key, body: { state: 'disabled' } })
        expect(await everywhere()).toEqual(new Set([40103]))
        await client.call('keys.patch', { params: key, body: { state: 'active' } })
        expect(await everywhere()).toEqual(new Set([0]))
      }
    })

    test('a rate limit counts the requests of all processes together', async () => {
      await all.client.call('profile.patch', { body: { rate_limit_per_minute: 10 } })
      const answers = await Promise.all(Array.from({ length: 60 }, () => rp.list('u1')))
      await all.client.call('profile.reset', {})
      const good = answers.filter(({ json }) => json.code === 0).length
      // A minute may end among them.
      expect([10, 20]).toContain(good)
    })

    test('a message of any process expires when the bench moves the clock, and every process has that time', async () => {
      const id = msgIdOf(await rp.register('u3'))
      await all.client.call('profile.patch', { body: { skew_clock: 'wall' } })
      await all.client.call('clock.advance', { body: { ms: 600_000 } })
      const results = await Promise.all(Array.from({ length: 6 }, () => rp.registrationResult(id)))
      expect(new Set(results.map(({ json }) => json.data.status))).toEqual(new Set(['timeout']))
    })

    test('a workspace that is opened is there for every process, and gone after it is closed', async () => {
      const { client } = all
      const codes = async (id: string) => {
        const asked = Array.from({ length: 6 }, () =>
          ask({
            port: all.running.port,
            method: 'GET',
            target: `/w/${id}/fido/openapi.json`,
            headers: [['Host', `localhost:${all.running.port}`]],
          }),
        )
        return new Set((await Promise.all(asked)).map(({ status }) => status))
      }
      expect(await codes('job-1')).toEqual(new Set([404]))
      await client.call('workspaces.create', { body: { id: 'job-1' } })
      expect(await codes('job-1')).toEqual(new Set([200]))
      await client.call('workspaces.close', { params: { id: 'job-1' } })
      expect(await codes('job-1')).toEqual(new Set([404]))
    })
  },
)
