import { expect, test } from './support/bench.ts'

test('a push brings the phone that it asks into sight @long', async ({ open, bench }) => {
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
