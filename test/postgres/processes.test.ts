import { afterEach, describe, expect, test } from 'vitest'
import { newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { type Processes, startProcesses } from '../support/postgres/start-processes.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { softPhone } from '../support/service/soft-phone.ts'

let all: Processes
afterEach(() => all?.stop())

describe.skipIf(noPostgres || noHaproxy)('three service processes behind a balancer', () => {
  test('a user registers and signs in by scan and by push, each request to another process', async () => {
    all = await startProcesses(newSchemaUrl())
    const rp = rpClient(all.running, all.rp)
    const phone = await softPhone(all.running)
    const id = msgIdOf(await rp.register('u1'))
    expect((await rp.registrationResult(id)).json.data).toEqual({ svc_user: '', status: 'init', error: '' })
    expect((await phone.register(id)).json.data).toEqual({ status: 'success', error: '' })
    expect((await rp.registrationResult(id)).json.data.status).toBe('success')
    expect((await rp.registrationResult(id)).json.code).toBe(41001)

    const scan = msgIdOf(await rp.authenticate('u1'))
    expect((await phone.authenticate(scan)).json.data).toEqual({ status: 'success', error: '' })
    expect((await rp.authenticationResult(scan)).json.data).toMatchObject({ status: 'success', user_id: 'u1' })

    const inbox = await phone.inbox()
    const push = msgIdOf(await rp.authenticate('u1', 'push'))
    expect(await inbox.next()).toMatchObject({ event: 'message', id: '1', data: { msg_id: push } })
    expect((await phone.authenticate(push)).json.data).toEqual({ status: 'success', error: '' })
    expect((await rp.authenticationResult(push)).json.data).toMatchObject({ status: 'success', user_id: 'u1' })
    inbox.close()

    await all.client.call('events.wait', {
      body: { match: { kind: 'delivery', msg_id: push }, after: 0, timeout_ms: 10_000 },
    })
    const { events } = await all.client.call('events.list', { query: { limit: 1000, kind: 'message' } })
    const moves = events.flatMap((event) => (event.kind === 'message' && event.msg_id === push ? [event.to] : []))
    expect(moves).toEqual(['init', 'bind', 'success'])
  })
})
