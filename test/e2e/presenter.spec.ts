import type { Page } from '@playwright/test'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { SCRIPTS } from '../../src-renderer/presenter/chapters.ts'
import { LABEL } from '../../src-renderer/presenter/stage-workspace.ts'
import { CHAPTERS } from '../../src-renderer/ui/address.ts'
import { LANGUAGES } from '../../src-renderer/ui/language.ts'
import { english } from '../../src-renderer/ui/texts-en.ts'
import { expect, test } from './support/bench.ts'
import { expectFits, inTurn } from './support/layout.ts'
import { phoneView } from './support/pages/phone.ts'
import { readable, SCHEMES } from './support/readable.ts'
import { lineHeights, overflowing, overlapping, unreadable } from './support/stage-layout.ts'
import { WORDS } from './support/visit.ts'

const { says, trouble, chapters, page: pageWords } = english.presenter

type Chapter = (typeof CHAPTERS)[number]

const sentences = (chapter: Chapter): readonly string[] => Object.values(says[chapter])
const LAST_WORDS = 'The thief had everything except the right address.'

/** The presentation as an audience and a hand on the keyboard know it. */
const presentation = (page: Page) => ({
  title: page.getByRole('heading', { level: 1, name: 'Presentation' }),
  story: page.getByRole('main').locator('[data-part="story"]').getByRole('status'),
  bank: page.getByRole('region', { name: 'Meridian Bank', exact: true }),
  thief: page.getByRole('region', { name: pageWords.lookalike, exact: true }),
  realBank: page.getByRole('region', { name: pageWords.thiefs, exact: true }),
  relay: page.locator('[data-part="relay"]'),
  alice: phoneView(page, 'Alice'),
  fresh: phoneView(page, 'Alice, new phone'),
  step: (nth: number, count: number) => page.getByRole('img', { name: `Step ${nth} of ${count}`, exact: true }),
  chapter: (name: keyof typeof chapters) => page.getByRole('button', { name: chapters[name] }),
  button: (name: string) => page.getByRole('button', { name, exact: true }),
  wire: (words: string) => page.locator('[data-part="wire"]').getByText(words, { exact: true }),
  figure: (name: string) => page.locator(`[data-figure="${name}"] dd`),
})

const present = async (page: Page) => {
  // A key that comes before the page listens is lost on a busy machine.
  await page.getByRole('button', { name: 'Present', exact: true }).click()
  const shown = presentation(page)
  await expect(shown.story).toHaveText(says.key.meet)
  await expect(seen(page)).toBeVisible()
  return shown
}

/** What a phone sends for the code that it sees next. */
const nextScan = (page: Page) =>
  page.waitForRequest(/\/w\/[^/]+\/control\/v1\/phones\/[^/]+\/scan$/).then((request) => request.postDataJSON())

/** The chapter whose stage is set. */
const standing = (page: Page) => page.locator('[data-part="chapter"]:not([data-setting])')

const chapterIn = (page: Page): string => new URL(page.url()).pathname.replace(/^.*\/present\//, '')

/** A sentence that has just come takes no key: the room has to see it. */
const press = async (page: Page, key = 'ArrowRight'): Promise<void> => {
  await expect(seen(page)).toBeVisible()
  await page.keyboard.press(key)
}

const seen = (page: Page) => page.locator('[data-part="story"]:not([data-fresh])')

/** From wherever a chapter is to its end, by the key of a remote control. */
const playOn = async (page: Page, chapter: Chapter, from = 0): Promise<void> => {
  const { story } = presentation(page)
  for (const [nth, sentence] of sentences(chapter).entries()) {
    if (nth > from) await press(page, 'PageDown')
    if (nth >= from) await expect(story).toHaveText(sentence)
  }
  await expect(standing(page)).toBeVisible()
}

/** The workspaces in which is presented. */
const stagesOf = async (control: ControlClient): Promise<readonly string[]> =>
  (await control.call('workspaces.list', { query: { label: LABEL } })).workspaces.map(({ id }) => id)

const stageOf = async (control: ControlClient): Promise<string> => (await stagesOf(control))[0] ?? ''

const closeStages = async ({ control }: { readonly control: ControlClient }): Promise<void> => {
  for (const id of await stagesOf(control)) await control.call('workspaces.close', { params: { id } })
}

// Other tests present, too.
test.beforeEach(({ service }) => closeStages(service))
test.afterEach(({ service }) => closeStages(service))

test('keys lead through all chapters, and the end counts what happened', async ({ open, page }) => {
  const desk = await open()
  await page.getByRole('button', { name: 'Present', exact: true }).click()
  const { story, step, button, title, bank, alice, fresh, thief, realBank, relay, wire, figure, chapter } =
    presentation(page)
  await expect(story).toHaveText(says.key.meet)
  await expect(step(1, 4)).toBeVisible()
  await expect(button('Back'), 'nothing comes before').toBeDisabled()
  await expect.poll(() => chapterIn(page)).toBe('key')

  await expect(seen(page)).toBeVisible()
  await button('Next').click()
  await expect(story).toHaveText(says.key.code)
  await expect(bank.getByRole('listitem', { name: 'shown' }).or(bank.getByText('shown'))).toBeVisible()
  await expect(wire('A code, please')).toBeVisible()
  const sent = nextScan(page)
  await press(page)
  await expect(sent.then(Object.keys)).resolves.toEqual(['image'])
  await expect(alice.heading).toHaveText('Register with Meridian Bank?')
  await expect(alice.screen).toContainText('meridian.example')
  await playOn(page, 'key', 2)

  await press(page, 'PageDown')
  await expect(story).toHaveText(says.touch.back)
  await expect(standing(page)).toBeVisible()
  await page.keyboard.press('PageUp')
  await expect(story, 'back in the chapter before, at its end').toHaveText(says.key.key)
  await expect(alice.heading).toHaveText('Registered')
  await press(page, 'PageDown')
  await playOn(page, 'touch')
  await expect.poll(() => chapterIn(page)).toBe('touch')
  await expect(bank.getByRole('heading')).toHaveText('Good to see you, Alice')

  await press(page, 'PageDown')
  await expect(story).toHaveText(says.thief.lure)
  await press(page)
  await expect(thief.getByRole('img', { name: 'Sign-in QR code' })).toBeVisible()
  await expect(thief).toContainText('meridian-login.example')
  await expect(relay).toHaveText(english.presenter.relayed)
  await expect(realBank).toContainText('meridian.example')
  const relayed = nextScan(page)
  await press(page)
  await expect(relayed).resolves.toMatchObject({ image: {}, seen_on: 'https://meridian-login.example' })
  await expect(alice.heading).toHaveText('Sign in to Meridian Bank?')
  await expect(alice.names).toHaveText(['meridian.example', 'meridian-login.example'])
  // The words on the phone do what they say.
  await alice.says.click()
  await expect(story).toHaveText(LAST_WORDS)
  await expect(relay, 'the wire breaks').toHaveText(english.presenter.relayCut)
  await expect(realBank.getByText('refused')).toBeVisible()
  await expect(wire('Wrong address')).toBeVisible()

  await press(page, 'PageDown')
  await playOn(page, 'lost')
  await expect(alice.heading).toHaveText('Not signed in')
  await expect(fresh.root).toBeHidden()

  await press(page, 'PageDown')
  await expect(chapter('end')).toHaveAttribute('aria-current', 'page')
  await expect.poll(() => chapterIn(page)).toBe('end')
  const counted = { passkeys: '2', codes: '5', signIns: '2', secrets: '0', tries: '2', stolen: '0' }
  for (const [name, value] of Object.entries(counted)) await expect(figure(name)).toHaveText(value)

  await page.keyboard.press('s')
  await expect(story).toHaveText(says.key.meet)
  await chapter('end').click()
  await expect(page.getByText(english.presenter.nothing)).toBeVisible()
  await button(english.presenter.fromStart).click()
  await expect(story).toHaveText(says.key.meet)
  await button('Leave').click()
  await expect(title).toBeHidden()
  await expect(desk.rp.root).toBeVisible()
})

test('hands lead the story as keys do, and a slip of a finger loses no sentence @long', async ({ open, page }) => {
  await open()
  const { story, bank, alice, step } = await present(page)
  await bank.getByRole('button', { name: pageWords.start }).click()
  await expect(story).toHaveText(says.key.code)
  await press(page)
  await expect(alice.heading).toHaveText('Register with Meridian Bank?')
  await alice.reject.click()
  await expect(story).toHaveText(trouble.fail)
  await expect(bank.getByRole('heading')).toHaveText('We could not register your phone')

  await press(page)
  await expect(story).toHaveText(says.key.code)
  await press(page)
  const held = Promise.withResolvers<void>()
  const asked = page.waitForRequest(/\/approve$/)
  await page.route(/\/approve$/, (route) => held.promise.then(() => route.continue()))
  await alice.touch()
  await asked
  await expect(alice.says, 'until its answer is known').toHaveText('Reading your finger…')
  held.resolve()
  await expect(story).toHaveText(says.key.key)
  await expect(standing(page)).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(story).toHaveText(says.key.scan)
  await expect(alice.heading).toHaveText('Register with Meridian Bank?')

  await press(page)
  await page.keyboard.press('ArrowRight')
  await expect(alice.heading).toHaveText('Registered')
  await expect(seen(page)).toBeVisible()
  await expect(story, 'of two quick presses one counts').toHaveText(says.key.key)
  await page.keyboard.down('ArrowRight')
  await expect(story).toHaveText(says.touch.back)
  await expect(seen(page)).toBeVisible()
  await page.keyboard.down('ArrowRight')
  await page.keyboard.up('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(story, 'a key that is held is pressed once').toHaveText(says.touch.code)
  await expect(step(2, 7)).toBeVisible()
})

test('the autopilot plays all chapters to the end, and can be stopped', { tag: '@long' }, async ({ open, page }) => {
  await page.clock.install()
  await open()
  const { story, bank, button, chapter, figure } = await present(page)
  await page.keyboard.press('Space')
  await expect(button('Autopilot is playing')).toHaveAttribute('aria-pressed', 'true')
  await page.clock.runFor(6000)
  await expect(story).toHaveText(says.key.code)
  await page.keyboard.press('Space')
  await expect(button('Autopilot')).toHaveAttribute('aria-pressed', 'false')
  // The sentence is told as soon as its step is begun.
  await expect(bank.getByRole('listitem', { name: 'shown' }).or(bank.getByText('shown'))).toBeVisible()
  await page.clock.runFor(20_000)
  await expect(story).toHaveText(says.key.code)

  await page.keyboard.press('Space')
  const seen = new Set<string>()
  await expect(async () => {
    await page.clock.runFor(1000)
    expect(seen.add(chapterIn(page))).toContain('end')
  }).toPass({ timeout: 200_000, intervals: [50] })
  await expect(chapter('end')).toHaveAttribute('aria-current', 'page')
  expect([...seen]).toEqual([...CHAPTERS, 'end'])
  await expect(figure('signIns')).toHaveText('2')
  await expect(button('Autopilot')).toBeVisible()
})

test('each chapter has an address: back, forward and a reload stay in the story @long', async ({ open, page }) => {
  await open()
  const { story, chapter, thief } = await present(page)
  await chapter('touch').click()
  await expect(story).toHaveText(says.touch.back)
  await chapter('thief').click()
  await expect(story).toHaveText(says.thief.lure)
  await expect(page).toHaveTitle(/^Presentation · The thief’s page · /)
  await press(page)
  await expect(story).toHaveText(says.thief.relay)
  // The sentence comes before what it tells.
  await expect(thief.getByRole('img', { name: 'Sign-in QR code' })).toBeVisible()
  await page.reload()
  await expect(story, 'in the middle of the chapter').toHaveText(says.thief.relay)
  await page.goBack()
  await expect(story).toHaveText(says.touch.back)
  // A chapter that is passed over is not set, and the one before it still stands.
  await expect(standing(page)).toBeVisible()
  await page.goForward()
  await expect(story).toHaveText(says.thief.lure)
  await expect.poll(() => chapterIn(page)).toBe('thief')
})

test('the speaker’s window leads its own stage alone @long', async ({ open, page, context, bench, service }) => {
  await open()
  const { story, button } = await present(page)
  const opening = context.waitForEvent('page')
  await button('Notes').click()
  const notes = await opening
  const main = notes.locator('[data-part="notes"]')
  await expect(main.getByRole('status')).toHaveText(says.key.meet)
  await expect(main).toContainText(english.presenter.notes.key.meet)
  await expect(main.getByRole('region', { name: 'Next sentence' })).toContainText(says.key.code)
  await expect(main.getByText(/^0:\d\d$/)).toBeVisible()

  // Somebody else presents in the same browser: the notes lead the stage that they belong to.
  const elsewhere = await context.newPage()
  await elsewhere.goto(await bench.invite())
  const other = await present(elsewhere)
  await expect.poll(() => stagesOf(service.control)).toHaveLength(2)
  await notes.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(story).toHaveText(says.key.code)
  await expect(main.getByRole('status')).toHaveText(says.key.code)
  await notes.keyboard.press('s')
  await expect(story).toHaveText(says.key.meet)
  await page.getByRole('button', { name: chapters.thief }).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(chapters.thief)
  await expect.poll(() => chapterIn(notes)).toBe('thief/notes')
  await notes.reload()
  await expect(main.getByRole('status')).toHaveText(says.thief.lure)
  await readable(notes, 'en')('the notes')
  await expect(other.story).toHaveText(says.key.meet)
  await elsewhere.close()

  await button('Leave').click()
  await expect(main.getByRole('status')).toHaveText(english.presenter.speaker.none)
  await notes.close()
})

test('a stage that was changed elsewhere says so; one key sets it up again @long', async ({ open, page, service }) => {
  await page.clock.install()
  await open()
  const { story, alice, button } = await present(page)
  const id = await stageOf(service.control)
  const demo = service.control.workspace(id)
  await press(page)
  await expect(story).toHaveText(says.key.code)
  await press(page)
  await expect(alice.sensor).toBeVisible()
  const [phone] = (await demo.call('phones.list')).phones
  await demo.call('phones.home', { params: { id: phone?.id ?? '' }, body: {} })
  await expect(alice.sensor).toBeHidden()
  await press(page)
  await page.clock.runFor(9000)
  await expect(story).toHaveText(trouble.stalled)
  await expect(button('Repeat chapter')).toHaveAttribute('data-look', 'primary')
  await page.keyboard.press('r')
  await expect(story).toHaveText(says.key.meet)

  await expect(standing(page)).toBeVisible()

  await service.control.call('workspaces.close', { params: { id } })
  await expect(page.getByRole('alert')).toHaveText(trouble.gone)
  await page.keyboard.press('r')
  await expect(story).toHaveText(says.key.meet)
  await expect(standing(page)).toBeVisible()

  const anew = await stageOf(service.control)
  await service.control.call('workspaces.patch', { params: { id: anew }, body: { quota: { phones: 0 } } })
  await page.keyboard.press('r')
  await expect(page.getByRole('alert')).toContainText('phones')
  await service.control.call('workspaces.patch', { params: { id: anew }, body: { quota: null } })
  await page.keyboard.press('r')
  await expect(page.getByRole('alert')).toBeHidden()
  await press(page)
  await expect(story).toHaveText(says.key.code)
})

test('leaving comes back to the bench; coming back goes on or starts over @long', async ({ open, bench, page }) => {
  await bench.registered()
  const desk = await open()
  await desk.timeline.row('Registers passkey').click()
  await expect(desk.inspector.root).toBeVisible()
  const { story, title, button } = await present(page)
  await press(page)
  await expect(story).toHaveText(says.key.code)

  await page.keyboard.press('Escape')
  await expect(title).toBeHidden()
  await expect(desk.timeline.row('Registers passkey')).toHaveAttribute('aria-pressed', 'true')
  await expect(desk.inspector.root).toBeVisible()

  await page.keyboard.press('p')
  await expect(page.getByText(says.key.code, { exact: true })).toBeVisible()
  await readable(page, 'en')('the card of a presentation that was left')
  await page.keyboard.press('ArrowRight')
  await expect(story).toHaveText(says.key.code)

  await page.keyboard.press('Escape')
  await page.keyboard.press('p')
  await expect(button('Go on')).toBeFocused()
  await page.keyboard.press('s')
  await expect(story, 'over').toHaveText(says.key.meet)
})

test('it can be left while the stage is set up @long', async ({ open, page }) => {
  const desk = await open()
  const held = Promise.withResolvers<void>()
  await page.route(/\/rps\/[^/]+\/keys$/, async (route) => {
    await held.promise
    await route.continue().catch(() => undefined)
  })
  const asked = page.waitForRequest(/\/rps\/[^/]+\/keys$/)
  await page.keyboard.press('p')
  await asked
  await page.keyboard.press('Escape')
  await expect(desk.statusBar).toBeVisible()
  held.resolve()
})

test('the controls go after three seconds, and come with a movement or the focus @long', async ({ open, page }) => {
  await page.clock.install()
  await open()
  const { button } = await present(page)
  const opacity = () =>
    button('Next').evaluate((element) => Number(getComputedStyle(element.parentElement ?? element).opacity))
  await expect.poll(opacity).toBe(1)
  await page.clock.runFor(3500)
  await expect.poll(opacity).toBe(0)
  await press(page)
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

const PROJECTOR = { width: 1024, height: 768 } as const
const PHONE = { width: 390, height: 844 } as const

const ALL = [
  PHONE,
  { width: 720, height: 450 },
  { width: 820, height: 614 },
  PROJECTOR,
  { width: 1100, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
] as const

for (const language of ['en', 'zh'] as const) {
  const words = WORDS[language].presenter

  test.describe(LANGUAGES[language].name, () => {
    test.use({ locale: LANGUAGES[language].tag })

    for (const chapter of CHAPTERS) {
      test(`“${words.chapters[chapter]}” breaks no accessibility rule, never overflows`, {
        tag: ['@long', '@nightly'],
      }, async ({ open, page }) => {
        // A window that fills the screen cannot be given another size.
        await page.addInitScript(() => {
          Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('not on this screen'))
        })
        await open(WORDS[language])
        await page.keyboard.press('p')
        const story = page.getByRole('main').locator('[data-part="story"]').getByRole('status')
        await page.getByRole('button', { name: words.chapters[chapter] }).click()
        const look = readable(page, language, inTurn(SCHEMES, []))
        const sizes = inTurn(ALL, [PROJECTOR], language === 'en' ? 1 : 0)
        const told: Readonly<Record<string, string>> = words.says[chapter]
        const before = page.viewportSize()
        for (const [nth, { name, phone = 'lost' }] of SCRIPTS[chapter].beats.entries()) {
          if (nth > 0) await press(page)
          await expect(story).toHaveText(told[name] ?? '')
          await expect(standing(page)).toBeVisible()
          if (chapter === 'lost') {
            await expect(page.locator(`[data-which="${phone}"]`)).toContainText(words.which[phone])
          }
          await look(name)
          for (const size of sizes()) {
            await page.setViewportSize(size)
            await expectFits(page, `${name}, ${size.width}`)
            await expect.poll(() => overflowing(page), `${name}, ${size.width}`).toEqual([])
            await expect.poll(() => overlapping(page), `${name}, ${size.width}`).toEqual([])
            const letters = () => story.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
            if (size.width === 1920) await expect.poll(letters).toBeCloseTo(1920 * 0.035, 0)
            if (size.width !== PROJECTOR.width) continue
            await expect.poll(() => unreadable(page, 18), name).toEqual([])
            if (name === 'names')
              await expect.poll(async () => Math.min(...(await lineHeights(page)))).toBeGreaterThan(28)
          }
          if (before !== null) await page.setViewportSize(before)
        }
        if (chapter !== 'lost') return
        await page.getByRole('button', { name: words.chapters.end }).click()
        await expect(page.locator('[data-part="end-card"] dl')).toBeVisible()
        await look('the end')
        for (const size of language === 'en' ? ALL : sizes()) {
          await page.setViewportSize(size)
          await expectFits(page, `the end, ${size.width}`)
          if (size.width === PROJECTOR.width) await expect.poll(() => unreadable(page, 18)).toEqual([])
        }
      })
    }
  })
}
