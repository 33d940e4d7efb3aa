import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectHandset, type Handset } from '../../../src-main/sdk/handset.ts'
import { startTestBench } from '../../support/bench.ts'

let bench: Awaited<ReturnType<typeof startTestBench>>
let workspace: Handset
beforeAll(async () => {
  bench = await startTestBench()
  workspace = await connectHandset({ controlUrl: bench.bench.controlUrl, token: bench.bench.token })
})
afterAll(() => bench.close())

const MORE_THAN_A_REPORT = 3100

test('a report says what it leaves out, and keeps what failed before the rest', async () => {
  const rp = await workspace.rp()
  const phone = await workspace.phone()
  const message = await rp.register({ user_id: 'u-early', username: 'early' })
  await phone.scan(message.url)
  await phone.reject()
  await workspace.expire((await rp.register({ user_id: 'u-late', username: 'late' })).msg_id)
  for (let i = 0; i < MORE_THAN_A_REPORT; i += 50)
    await Promise.all(Array.from({ length: 50 }, () => rp.credentials('u-early')))
  const { html } = await workspace.client.call('events.report', { query: {} })
  expect(html).toMatch(/<p class="left-out">\d+ earlier events are left out\./)
  expect(html).not.toContain('Nothing failed here')
  expect(html).toContain('The registration of u-early failed.')
  expect(html).toContain('The registration of u-late expired')
  const { html: later } = await workspace.client.call('events.report', { query: { after: await workspace.lastSeq() } })
  expect(later).not.toContain('left out')
})
