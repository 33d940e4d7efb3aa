import { afterEach, expect, test } from 'vitest'
import { type ControlClient, createControlClient } from '../../src-main/sdk/client.ts'
import { startTestBench } from '../support/bench.ts'
import { recorderIn } from '../support/recorded-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Served, serve } from './served.ts'

let served: Served | undefined
afterEach(() => served?.kill())

const start = async (data: string) => {
  served = await serve({ args: ['--data', data] })
  const client = createControlClient({ controlUrl: `http://localhost:${served.port}/control/v1`, token: served.token })
  return { served, client }
}

const profile = (client: ControlClient, message_ttl_s: number) =>
  client.call('profile.patch', { body: { message_ttl_s } })

test('[events.kept] events outlive SIGKILL and a clean stop, and a stream goes on where it was', async () => {
  const data = temporaryFolder()
  const first = await startTestBench({ data })
  for (const seconds of [61, 62, 63]) await profile(first.client, seconds)
  await first.client.call('workspaces.create', { body: { id: 'gone' } })
  await profile(first.client.workspace('gone'), 64)
  await first.client.call('workspaces.close', { params: { id: 'gone' } })
  const { events: before } = await first.client.call('events.list')
  expect(before.length).toBeGreaterThan(2)
  await first.close()

  const killed = await start(data)
  const { events: kept } = await killed.client.call('events.list')
  expect(kept.slice(0, before.length)).toEqual(before)
  expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, n) => n + 1))
  await profile(killed.client, 65)
  const { last_seq: heard } = await killed.client.call('overview')
  await killed.served.kill()

  const { client, served: last } = await start(data)
  const { events: afterKill, last_seq } = await client.call('events.list')
  expect(afterKill.slice(0, before.length)).toEqual(before)
  expect(last_seq).toBeGreaterThanOrEqual(heard)
  await profile(client, 66)
  const [changed] = (await client.call('events.list', { query: { after: heard, kind: 'setting' } })).events
  expect(changed).toMatchObject({ subject: 'profile' })
  for await (const event of client.events({ after: heard, kind: 'setting' })) {
    expect(event).toEqual(changed)
    break
  }
  await client.call('workspaces.create', { body: { id: 'gone' } })
  const { events: anew } = await client.workspace('gone').call('events.list')
  expect(anew).not.toContainEqual(expect.objectContaining({ subject: 'profile' }))
  const { events: all } = await client.call('events.list')
  expect(await last.stop()).toBe(0)
  expect(last.stderr()).toBe('')
  const { recorder, close } = recorderIn(data)
  expect(recorder.read('main').events.slice(0, all.length)).toEqual(all)
  await close()
})
