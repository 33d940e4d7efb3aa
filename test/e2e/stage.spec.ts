import type { Locator } from '@playwright/test'
import { expect, test } from './support/bench.ts'

const NAMES = ['Alice', 'Bo', 'Carla'] as const

/** What of it is on the screen: 1 is all, 0 nothing. */
const shownOf = (element: Locator): Promise<number> =>
  element.evaluate(
    (target) =>
      new Promise<number>((resolve) => {
        new IntersectionObserver(([entry]) => resolve(entry?.intersectionRatio ?? 0)).observe(target)
      }),
  )

const ROOM = [
  { width: 1440, docks: false, shown: 2 },
  { width: 1130, docks: false, shown: 1 },
  { width: 1100, docks: false, shown: 3 },
  { width: 700, docks: false, shown: 1 },
  // From here on, an explanation is open.
  { width: 1440, docks: true, shown: 1 },
  { width: 1920, docks: false, shown: 1 },
]

test('as many phones as have room stand there whole, the others a dot away @long', async ({ open, page, bench }) => {
  for (const name of NAMES) await bench.control.call('phones.create', { body: { name } })
  await bench.signForAnotherHost('localhost')
  const desk = await open()
  const ratios = () => Promise.all(NAMES.map((name) => shownOf(desk.phone(name).screen)))
  const goTo = (name: string) => page.getByRole('button', { name: `Go to the phone of ${name}` })
  for (const { width, docks, shown } of ROOM) {
    const room = `${width} pixels${docks ? ', with an explanation' : ''}`
    await page.setViewportSize({ width, height: width > 1800 ? 1080 : 900 })
    if (docks) await desk.timeline.row('List passkeys').click()
    await expect(goTo('Carla'), room).toHaveCount(shown < NAMES.length ? 1 : 0)
    if (shown < NAMES.length) await goTo('Alice').click()
    await expect.poll(ratios, room).toEqual(NAMES.map((_, index) => (index < shown ? 1 : 0)))
    if (shown === NAMES.length) continue
    await goTo('Carla').click()
    await expect.poll(ratios, room).toEqual(NAMES.map((_, index) => (index < NAMES.length - shown ? 0 : 1)))
  }
})

test('the phone that is being explained comes into sight @long', async ({ open, page, bench }) => {
  for (const name of NAMES) await bench.control.call('phones.create', { body: { name } })
  const carla = (await bench.control.call('phones.list')).phones.find(({ name }) => name === 'Carla')
  if (carla === undefined) throw new Error('there is no phone of Carla')
  await bench.register(carla)
  await bench.arm(carla, 'origin-wrong')
  const desk = await open()
  await desk.rp.signInByCode()
  const { url } = await bench.message()
  await bench.control.call('phones.scan', { params: { id: carla.id }, body: { url } })
  await bench.control.call('phones.approve', { params: { id: carla.id }, body: {} })
  await desk.rp.why.click()
  await expect.poll(() => Promise.all(NAMES.map((name) => shownOf(desk.phone(name).screen)))).toEqual([0, 0, 1])
  await expect(page.getByRole('button', { name: 'Go to the phone of Carla' })).toHaveAttribute('aria-current', 'true')
})
