import type { Page } from '@playwright/test'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { LANGUAGES } from '../../src-renderer/ui/language.ts'
import { expect, test } from './support/bench.ts'
import { WORDS } from './support/every-screen.ts'
import { fitsAt } from './support/layout.ts'
import { phoneView } from './support/pages/phone.ts'
import { rpWindow } from './support/pages/rp-window.ts'
import { MEASURED, readable, THOROUGH } from './support/readable.ts'

const STORY = [
  'Meet a key that nobody has to remember.',
  'The bank shows a code. It holds no secret.',
  'The phone reads the code. Nothing is typed.',
  'One touch makes a key for this bank alone.',
  'Next time, the bank asks the phone directly.',
  'The phone shows who is asking, and waits.',
  'One touch signs. No password was ever sent.',
] as const

/** The presentation as an audience and a hand on the keyboard know it. */
const presentation = (page: Page) => ({
  title: page.getByRole('heading', { level: 1, name: 'Presentation' }),
  story: page.getByRole('main').locator('[data-part="story"]').getByRole('status'),
  rp: rpWindow(page),
  alice: phoneView(page, 'Alice'),
  step: (nth: number) => page.getByRole('img', { name: `Step ${nth} of 7`, exact: true }),
  button: (name: 'Autopilot' | 'Autopilot is playing' | 'Start over' | 'Back' | 'Next' | 'Leave') =>
    page.getByRole('button', { name, exact: true }),
  said: (words: string) => page.getByText(words, { exact: true }),
})

const present = async (page: Page) => {
  await page.keyboard.press('p')
  const shown = presentation(page)
  await expect(shown.story).toHaveText(STORY[0])
  return shown
}

/** What really happened, as the demo’s own workspace has it. */
const truth = async (control: ControlClient) =>
  (await control.workspace('presenter').call('messages.list')).messages.map(
    ({ kind, method, state }) => `${kind}${method === undefined ? '' : ` by ${method}`}: ${state}`,
  )

test.afterEach(async ({ service }) => {
  const { workspaces } = await service.control.call('workspaces.list')
  if (!workspaces.some(({ id }) => id === 'presenter')) return
  await service.control.call('workspaces.close', { params: { id: 'presenter' } })
})

test('button and keys lead through the story, and every step really happens', async ({
  open,
  page,
  service,
  bench,
}) => {
  const desk = await open()
  const before = (await bench.control.call('overview')).last_seq
  await page.getByRole('button', { name: 'Present', exact: true }).click()
  const { story, step, button, title, rp, alice, said } = presentation(page)
  await expect(story).toHaveText(STORY[0])
  await expect(step(1)).toBeVisible()

  await button('Next').click()
  await expect(story).toHaveText(STORY[1])
  await expect(rp.registrationCode).toBeVisible()
  await expect(said('Ask to register')).toBeVisible()
  await expect.poll(() => truth(service.control)).toEqual(['registration: init'])

  const sent = page.waitForRequest(/\/w\/presenter\/control\/v1\/phones\/[^/]+\/scan$/)
  await page.keyboard.press('ArrowRight')
  expect(Object.keys((await sent).postDataJSON())).toEqual(['image'])
  await expect(story).toHaveText(STORY[2])
  await expect(alice.heading).toHaveText('Register with Meridian Bank?')
  await expect(said('Scanned')).toBeVisible()

  await page.keyboard.press('ArrowRight')
  await expect(story).toHaveText(STORY[3])
  await expect(alice.heading).toHaveText('Registered')
  await expect(rp.heading).toHaveText('Your phone is registered')
  await expect(said('Read the result')).toBeVisible()

  await page.keyboard.press('PageDown')
  await expect(story).toHaveText(STORY[4])
  await expect(alice.push).toBeVisible()
  await expect(said('Push to the phone')).toBeVisible()

  await page.keyboard.press('PageDown')
  await expect(story).toHaveText(STORY[5])
  await expect(alice.heading).toHaveText('Sign in to Meridian Bank?')
  await expect(said('Opened')).toBeVisible()

  await page.keyboard.press('PageDown')
  await expect(story).toHaveText(STORY[6])
  await expect(rp.heading).toHaveText('Good to see you, Alice')
  await expect(step(7)).toBeVisible()
  await expect(button('Next')).toBeDisabled()
  await expect.poll(() => truth(service.control)).toEqual(['authentication by push: success', 'registration: success'])
  expect((await bench.control.call('overview')).last_seq, 'the bench is untouched').toBe(before)
  await button('Leave').click()
  await expect(title).toBeHidden()
  await expect(desk.rp.root).toBeVisible()
})

test('hands on page and phone lead the story as the keys do, and no key pressed ahead of time is lost', async ({
  open,
  page,
}) => {
  await open()
  const { story, rp, alice } = await present(page)
  await rp.registerButton.click()
  await expect(story).toHaveText(STORY[1])
  await page.keyboard.press('ArrowRight')
  await expect(alice.heading).toHaveText('Register with Meridian Bank?')
  await alice.reject.click()
  await expect(story).toHaveText('The answer was no. Nobody was let in.')
  await expect(rp.heading).toHaveText('We could not register your phone')

  await page.keyboard.press('ArrowRight')
  await expect(story).toHaveText(STORY[1])
  await page.keyboard.press('ArrowRight')
  await alice.touch()
  await expect(story).toHaveText(STORY[3])
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowRight')
  await expect(story).toHaveText(STORY[6])
})

test('the autopilot plays, can be stopped, and goes on to the end from where the story stands', async ({
  open,
  page,
  service,
}) => {
  await page.clock.install()
  await open()
  const { story, button, step } = await present(page)
  await page.keyboard.press('Space')
  await expect(button('Autopilot is playing')).toHaveAttribute('aria-pressed', 'true')
  await page.clock.runFor(6000)
  await expect(story).toHaveText(STORY[1])
  await expect(button('Next')).toBeEnabled()

  await page.keyboard.press('Space')
  await expect(button('Autopilot')).toHaveAttribute('aria-pressed', 'false')
  await page.clock.runFor(20_000)
  await expect(story).toHaveText(STORY[1])
  await expect.poll(() => truth(service.control)).toEqual(['registration: init'])

  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowRight')
  await expect(story).toHaveText(STORY[5])
  await page.keyboard.press('Space')
  await expect(async () => {
    await page.clock.runFor(3000)
    await expect(step(7)).toBeVisible({ timeout: 50 })
  }).toPass({ timeout: 60_000 })
  await expect(story).toHaveText(STORY[6])
  await expect(async () => {
    await page.clock.runFor(3000)
    await expect(button('Autopilot')).toBeVisible({ timeout: 50 })
  }).toPass()
  await expect.poll(() => truth(service.control)).toEqual(['authentication by push: success', 'registration: success'])
})

test('leaving comes back to the bench as it was, and coming back to the story where it was', async ({
  open,
  bench,
  page,
}) => {
  await bench.register(await bench.addPhone())
  const desk = await open()
  await desk.timeline.row('Registers passkey').click()
  await expect(desk.inspector.root).toBeVisible()
  const { story, title } = await present(page)
  await page.keyboard.press('ArrowRight')
  await expect(story).toHaveText(STORY[1])

  await page.keyboard.press('Escape')
  await expect(title).toBeHidden()
  await expect(desk.timeline.row('Registers passkey')).toHaveAttribute('aria-pressed', 'true')
  await expect(desk.inspector.root).toBeVisible()

  await page.keyboard.press('p')
  await expect(story).toHaveText(STORY[1])
})

test('it can be left while the stage is set up', async ({ open, page }) => {
  const desk = await open()
  const held = Promise.withResolvers<void>()
  await page.route(/presenter.*overview/, async (route) => {
    await held.promise
    await route.continue().catch(() => undefined)
  })
  const asked = page.waitForRequest(/presenter.*overview/)
  await page.keyboard.press('p')
  await asked
  await page.keyboard.press('Escape')
  await expect(desk.statusBar).toBeVisible()
  held.resolve()
})

test('the controls go after three seconds without movement, and come back with it or with the focus', async ({
  open,
  page,
}) => {
  await page.clock.install()
  await open()
  const { button } = await present(page)
  const opacity = () =>
    button('Next').evaluate((element) => Number(getComputedStyle(element.parentElement ?? element).opacity))
  await expect.poll(opacity).toBe(1)
  await page.clock.runFor(3500)
  await expect.poll(opacity).toBe(0)
  await page.keyboard.press('ArrowRight')
  await expect.poll(opacity, 'the keys of a presenter show nothing').toBe(0)
  await page.mouse.move(300, 300)
  await page.mouse.move(310, 310)
  await expect.poll(opacity).toBe(1)
  await page.clock.runFor(3500)
  await expect.poll(opacity).toBe(0)
  await button('Next').focus()
  await page.keyboard.press('Shift+Tab')
  await page.clock.runFor(3500)
  await expect.poll(opacity, 'what has the focus is seen').toBe(1)
})

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const

// The other language is looked at as every screen is in it: by `npm test -- long`.
for (const language of THOROUGH ? (['en', 'zh'] as const) : (['en'] as const)) {
  const words = WORDS[language]

  test.describe(LANGUAGES[language].name, () => {
    test.use({ locale: LANGUAGES[language].tag })

    test('no step breaks an accessibility rule or overflows, light and dark, and the story is large', async ({
      open,
      page,
    }) => {
      test.setTimeout(120_000)
      // A window that fills the screen cannot be given another size.
      await page.addInitScript(() => {
        Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('not on this screen'))
      })
      await open(words)
      await page.keyboard.press('p')
      const story = page.getByRole('main').locator('[data-part="story"]').getByRole('status')
      const look = readable(page, language)
      const fits = fitsAt(page, MEASURED)
      for (const [nth, sentence] of Object.values(words.presenter.story).entries()) {
        if (nth > 0) await page.keyboard.press('ArrowRight')
        await expect(story).toHaveText(sentence)
        await look(sentence)
        await fits(sentence)
        for (const size of SIZES) {
          await page.setViewportSize(size)
          await expect.poll(() => overflowing(page), sentence).toEqual([])
          const letters = await story.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
          expect(letters).toBeCloseTo(size.width * 0.035, 0)
        }
      }
    })
  })
}

/** The texts that are cut off, or stand out of what they are in. */
const overflowing = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const parts = ['presenter', 'stage-window', 'stage-page', 'stage-words', 'request']
    return [...document.querySelectorAll<HTMLElement>(parts.map((part) => `[data-part="${part}"]`).join())]
      .filter(
        (element) => element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1,
      )
      .map((element) => element.dataset.part ?? '')
  })
