import { expect, test } from './support/bench.ts'
import type { Setting } from './support/setting.ts'

/** So many calls of somebody's own RP. */
const call = async (bench: Setting, count: number): Promise<void> => {
  const { key, secret } = await bench.control.call('keys.create', { params: { rp: bench.rp.id }, body: {} })
  const client = bench.rpWith({ accessKeyId: key.id, secretKey: secret })
  for (let n = 0; n < count; n++) await client.credentials(`user-${n}`)
  client.close()
}

test('a page that opens on more exchanges than it draws is at the end, and follows what comes', async ({
  open,
  bench,
}) => {
  await call(bench, 320)
  const desk = await open()
  const last = desk.timeline.row('List passkeys').last()
  for (const count of [320, 323]) {
    if (count > 320) await call(bench, 3)
    const { last_seq } = await bench.control.call('overview')
    await expect(desk.statusBar).toContainText(`${last_seq} events`)
    await expect(desk.timeline.live).toHaveText('Live')
    await expect(last).toBeInViewport({ ratio: 1 })
  }
})

test('a push brings the phone that it asks into sight', async ({ open, bench }) => {
  const names = ['Alice', 'Bo', 'Cleo', 'Dora', 'Emil', 'Fay']
  for (const [n, name] of names.entries()) {
    const account = { name, phone: `1370000000${n}` }
    await bench.control.call('phones.create', { body: { name, account } })
  }
  const [last] = (await bench.control.call('phones.list')).phones.toReversed()
  if (last === undefined) throw new Error('there is no phone')
  await bench.register(last)
  const desk = await open()
  const fay = desk.phone('Fay')
  await expect(fay.root).not.toBeInViewport()
  await desk.rp.signInByPush()
  await expect(fay.root).toBeInViewport({ ratio: 1 })
})

test('a clock that was moved is not called live', async ({ open, bench }) => {
  const desk = await open()
  await expect(desk.clock).toHaveText(/live$/)
  await bench.control.call('clock.advance', { body: { ms: 3_600_000 } })
  await expect(desk.clock).toHaveText(/1:00:00 ahead$/)
  await desk.page.reload()
  await expect(desk.clock).toHaveText(/1:00:00 ahead$/)
  await desk.clock.click()
  await expect(desk.console.clock).toContainText('1:00:00 ahead of real time')
  await bench.control.call('clock.put', { body: { real: true } })
  await expect(desk.clock).toHaveText(/live$/)
})
