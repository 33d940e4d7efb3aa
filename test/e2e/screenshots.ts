import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, expect } from '@playwright/test'
import type { ControlPhone } from '../../src-main/contract/control/states.ts'
import { en } from '../../src-main/messages/en/en.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { DEMO } from '../../src-renderer/presenter/demo.ts'
import { findBrowser } from '../support/browser.mjs'
import { type Desk, openDesk } from './support/pages/desk.ts'
import { ROOT, type Service, serve } from './support/serve.ts'
import { createSetting, type Setting } from './support/setting.ts'

/** The pictures of the documents: a registration and a sign-in, played as a person does and photographed. */
const FOLDER = join(ROOT, 'docs/screenshots')

/** A plain morning; the pictures of two runs differ by little more than their codes. */
const MORNING = Date.UTC(2026, 4, 4, 9, 41)

type Picture = {
  readonly file: string
  readonly context?: BrowserContextOptions
  readonly play: (desk: Desk, bench: Setting) => Promise<void>
}

const registered = async (desk: Desk): Promise<void> => {
  const alice = desk.phone('Alice')
  await desk.rp.register()
  await alice.scan()
  await alice.touch()
  await expect(desk.rp.status).toHaveText(/^Confirmed by /)
  await alice.done.click()
}

/** A sign-in up to the touch that the phone asks for. */
const asked = async (desk: Desk): Promise<void> => {
  const alice = desk.phone('Alice')
  await desk.rp.root.getByRole('button', { name: 'Sign in now' }).click()
  await desk.rp.signInCode.waitFor()
  await alice.scan()
  await alice.sensor.waitFor()
}

/** Meanwhile another RP asks Bo by push, and the key that Alice's phone made is looked into. */
const busy = async (desk: Desk, { control, register }: Setting): Promise<void> => {
  const shop = await control.call('rps.create', { body: { name: 'Paper Lantern', rp_id: 'paper-lantern.example' } })
  await control.call('keys.create', { params: { rp: shop.id }, body: {} })
  const bo = await phoneOf(control, 'Bo')
  await register(bo, { user: 'bo', rp: shop })
  await registered(desk)
  await asked(desk)
  await control.call('simulator.sign-in', {
    params: { rp: shop.id },
    body: { user_id: 'bo', username: 'bo', method: 'push', poll: false },
  })
  await desk.phone('Bo').push.waitFor()
  await desk.timeline
    .group('Register alice by QR code')
    .getByRole('button', { name: /^Registers passkey, / })
    .click()
  await desk.inspector.tab('Decoded').click()
  await desk.inspector.panel.getByText('credentialId', { exact: true }).click()
  await desk.timeline.row('Push to the phone').scrollIntoViewIfNeeded()
}

/** The phone signs for a website that only looks like the bank's. */
const failed = async (desk: Desk, { control }: Setting): Promise<void> => {
  await registered(desk)
  const alice = await phoneOf(control, 'Alice')
  await control.call('phones.arm', { params: { id: alice.id }, body: { fault: 'origin-wrong' } })
  await asked(desk)
  await desk.phone('Alice').touch()
  await desk.rp.why.click()
  await desk.inspector.steps.first().waitFor()
}

const PICTURES: readonly Picture[] = [
  { file: 'bench.png', play: busy },
  { file: 'bench-dark.png', context: { colorScheme: 'dark' }, play: busy },
  { file: 'failure.png', play: failed },
  {
    file: 'narrow.png',
    context: { viewport: { width: 390, height: 844 } },
    play: async (desk) => {
      await desk.rp.register()
      await desk.pane('Phones').click()
      await desk.phone('Alice').scan()
      await desk.phone('Alice').sensor.waitFor()
    },
  },
]

type Shoot = (screen: string) => Promise<void>

/** Every screen in one visit, on a screen where there is room for all panes. */
const wideTour = async (desk: Desk, bench: Setting, shoot: Shoot): Promise<void> => {
  await busy(desk, bench)
  await shoot('bench')
  await desk.phone('Alice').touch()
  await desk.phone('Alice').done.click()
  await desk.inspector.close.click()
  const alice = await phoneOf(bench.control, 'Alice')
  await bench.control.call('phones.arm', { params: { id: alice.id }, body: { fault: 'origin-wrong', times: 2 } })
  await desk.rp.signInByCode()
  await desk.phone('Alice').scan()
  await desk.phone('Alice').touch()
  await desk.rp.why.click()
  await desk.inspector.steps.first().waitFor()
  await shoot('failure')
  await desk.inspector.close.click()
  await bench.signForAnotherHost('localhost')
  await desk.timeline.row('List passkeys').last().click()
  await desk.inspector.panel.getByText(en.signingMistakes['host-without-port']).waitFor()
  await shoot('signature')
  await desk.inspector.close.click()
  await smallTour(desk, shoot)
  await consoleTour(desk, shoot)
}

/** The same, one pane at a time. */
const narrowTour = async (desk: Desk, bench: Setting, shoot: Shoot): Promise<void> => {
  const alice = desk.phone('Alice')
  await desk.rp.register()
  await shoot('rp')
  await desk.pane('Phones').click()
  await alice.scan()
  await alice.sensor.waitFor()
  await shoot('phone')
  await alice.touch()
  await alice.done.click()
  const { id } = await phoneOf(bench.control, 'Alice')
  await bench.control.call('phones.arm', { params: { id }, body: { fault: 'origin-wrong', times: 2 } })
  await desk.pane('RP').click()
  await desk.rp.signInByCode()
  await desk.pane('Phones').click()
  await alice.scan()
  await alice.touch()
  await desk.pane('RP').click()
  await shoot('rp-failed')
  await desk.pane('Timeline').click()
  await shoot('timeline')
  await desk.pane('RP').click()
  await desk.rp.why.click()
  await desk.inspector.steps.first().waitFor()
  await shoot('failure')
  await desk.pane('RP').click()
  await smallTour(desk, shoot)
  await consoleTour(desk, shoot)
}

/** What opens over the bench, or in the place of something on it. */
const smallTour = async ({ page, rp }: Desk, shoot: Shoot): Promise<void> => {
  await rp.startAgain.click()
  await rp.passkeys('1 passkey').click()
  await rp.root.getByRole('listitem').waitFor()
  await shoot('rp-passkeys')
  await rp.startAgain.click()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
  await shoot('palette')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await shoot('keys')
  await page.keyboard.press('Escape')
}

const PLACES = ['Profile', 'Phones', 'Accounts and devices', 'Trust roots', 'Workspaces'] as const

const consoleTour = async ({ console: settings, page }: Desk, shoot: Shoot): Promise<void> => {
  await settings.open()
  await settings.keys.getByRole('row').nth(1).waitFor()
  await shoot('console-rp')
  for (const place of PLACES) {
    await settings.place(place).click()
    await settings.root.getByRole('heading', { level: 2, name: place }).waitFor()
    // Tables come with the answer of the bench.
    await page.waitForTimeout(400)
    await shoot(`console-${place.toLowerCase().replaceAll(' ', '-')}`)
  }
  await page.getByRole('button', { name: 'Present', exact: true }).click()
  await page.getByText('Meet a key that nobody has to remember.').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('The bank shows a code. It holds no secret.').waitFor()
  await shoot('presenter')
}

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
] as const

const tour = async (service: Service, size: (typeof SIZES)[number], colorScheme: 'light' | 'dark'): Promise<void> => {
  await furnish(service)
  const bench = await createSetting(service.control, { invite: service.invite })
  await bench.addPhone('Alice')
  await bench.addPhone('Bo')
  const opened = await browser.newContext({ viewport: size, timezoneId: 'UTC', colorScheme, reducedMotion: 'reduce' })
  const page = await opened.newPage()
  page.setDefaultTimeout(15_000)
  const shoot: Shoot = async (screen) => {
    const file = `${size.width}x${size.height}/${screen}-${colorScheme}.png`
    await page.mouse.move(0, 0)
    await page.screenshot({ path: join(FOLDER, file), animations: 'disabled', caret: 'hide' })
    console.log(`docs/screenshots/${file}`)
  }
  const desk = await openDesk(page, await bench.invite())
  await (size.width < 640 ? narrowTour : wideTour)(desk, bench, shoot)
  await opened.close()
}

const furnish = async ({ control }: Service): Promise<void> => {
  await control.call('workspace.reset', { body: { settings: true } })
  await control.call('clock.put', { body: { now: MORNING } })
  // A presentation goes on where the one before it stopped.
  const { workspaces } = await control.call('workspaces.list')
  if (workspaces.some(({ id }) => id === DEMO)) await control.call('workspaces.close', { params: { id: DEMO } })
}

const phoneOf = async (control: ControlClient, wanted: string): Promise<ControlPhone> => {
  const phone = (await control.call('phones.list')).phones.find(({ name }) => name === wanted)
  if (phone === undefined) throw new Error(`there is no phone of ${wanted}`)
  return phone
}

const take = async (service: Service, { file, context, play }: Picture): Promise<void> => {
  await furnish(service)
  const bench = await createSetting(service.control, { invite: service.invite })
  await bench.addPhone('Alice')
  await bench.addPhone('Bo')
  const opened = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'UTC', ...context })
  const page = await opened.newPage()
  const desk = await openDesk(page, await bench.invite())
  await play(desk, bench)
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(FOLDER, file), animations: 'disabled', caret: 'hide' })
  await opened.close()
  console.log(`docs/screenshots/${file}`)
}

const [only] = process.argv.slice(2)
const executablePath = findBrowser()
if (executablePath === undefined) throw new Error('No Chromium, Chrome or Edge found. Name one in HANDSET_BROWSER.')
mkdirSync(FOLDER, { recursive: true })
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
// The pictures show the usual port where it is free to have.
const service = await serve(['--memory', '--seed', '2026', '--port', process.env.HANDSET_PORT ?? '7420'])
try {
  // `npm run screenshots -- 390x844` takes those of one size; `documents` those that the documents show large.
  if (only === undefined || only === 'documents') for (const picture of PICTURES) await take(service, picture)
  for (const size of SIZES) {
    if (only !== undefined && only !== `${size.width}x${size.height}`) continue
    for (const scheme of ['light', 'dark'] as const) await tour(service, size, scheme)
  }
} finally {
  await browser.close()
  await service.stop()
}
