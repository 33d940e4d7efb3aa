import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, expect } from '@playwright/test'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { LABEL } from '../../src-renderer/presenter/stage-workspace.ts'
import { findBrowser } from '../support/browser.mjs'
import { type Desk, openDesk } from './support/pages/desk.ts'
import { ROOT, type Service, serve } from './support/serve.ts'
import { createSetting, type Setting } from './support/setting.ts'

/** The pictures that the documents show: a registration and a sign-in, played as a person does and photographed. */
const FOLDER = join(ROOT, 'docs/screenshots')

/** A plain morning; the pictures of two runs differ by little more than their codes. */
const MORNING = Date.UTC(2026, 4, 4, 9, 41)

type Picture = {
  readonly file: string
  readonly size?: { readonly width: number; readonly height: number }
  readonly play: (desk: Desk, bench: Setting) => Promise<void>
}

const registered = async (desk: Desk): Promise<void> => {
  const alice = desk.phone('Alice')
  await desk.rp.register()
  await alice.answer()
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
const failed = async (desk: Desk, { control, arm }: Setting): Promise<void> => {
  await registered(desk)
  const alice = await phoneOf(control, 'Alice')
  await arm(alice, 'origin-wrong')
  await asked(desk)
  await desk.phone('Alice').touch()
  await desk.rp.why.click()
  await desk.inspector.steps.first().waitFor()
}

/** An RP that signs another host than it calls, and why that fails. */
const signedWrongly = async (desk: Desk, bench: Setting): Promise<void> => {
  await bench.signForAnotherHost('localhost')
  await desk.timeline.row('List passkeys').last().click()
  await desk.inspector.panel.getByText(en.signingMistakes['host-without-port']).waitFor()
}

/** The same mistake, where a server is connected. */
const connected = async ({ page }: Desk, bench: Setting): Promise<void> => {
  await page.getByRole('button', { name: /^Connect your server/ }).click()
  await page.getByRole('tab', { name: 'Python' }).click()
  await bench.signForAnotherHost('localhost')
  await page.getByText(en.signingMistakes['host-without-port']).waitFor()
}

const presented = async ({ page }: Desk): Promise<void> => {
  await page.getByRole('button', { name: 'Present', exact: true }).click()
  await page.getByRole('button', { name: 'The thief’s page' }).click()
  for (const sentence of ['It looks right.', 'the bank’s real code.', 'They differ.', 'except the right address.']) {
    await page.getByRole('status').filter({ hasText: sentence }).waitFor()
    await page.locator('[data-part="story"]:not([data-fresh])').waitFor()
    if (!sentence.startsWith('except')) await page.keyboard.press('ArrowRight')
  }
  await page.getByText('Wrong address').waitFor()
}

const LAPTOP = { width: 1280, height: 800 }

const PICTURES: readonly Picture[] = [
  { file: 'bench.png', play: busy },
  { file: 'failure.png', size: LAPTOP, play: failed },
  { file: 'signature.png', size: LAPTOP, play: signedWrongly },
  { file: 'connect.png', play: connected },
  { file: 'presenter.png', size: { width: 1920, height: 1080 }, play: presented },
]

const furnish = async ({ control }: Service): Promise<void> => {
  await control.call('workspace.reset', { body: { settings: true } })
  await control.call('clock.put', { body: { now: MORNING } })
  // The pictures show one presentation alone.
  const { workspaces } = await control.call('workspaces.list', { query: { label: LABEL } })
  for (const { id } of workspaces) await control.call('workspaces.close', { params: { id } })
}

const phoneOf = async (control: ControlClient, wanted: string): Promise<ControlPhone> => {
  const phone = (await control.call('phones.list')).phones.find(({ name }) => name === wanted)
  if (phone === undefined) throw new Error(`there is no phone of ${wanted}`)
  return phone
}

const take = async (service: Service, { file, size = { width: 1440, height: 900 }, play }: Picture): Promise<void> => {
  await furnish(service)
  const bench = await createSetting(service.control, { invite: service.invite })
  await bench.addPhone('Alice')
  await bench.addPhone('Bo')
  const opened = await browser.newContext({ viewport: size, timezoneId: 'UTC', reducedMotion: 'reduce' })
  const page = await opened.newPage()
  const desk = await openDesk(page, await bench.invite())
  await play(desk, bench)
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(FOLDER, file), animations: 'disabled', caret: 'hide' })
  await opened.close()
  console.log(`docs/screenshots/${file}`)
}

const executablePath = findBrowser()
if (executablePath === undefined) throw new Error('No Chromium, Chrome or Edge found. Name one in HANDSET_BROWSER.')
mkdirSync(FOLDER, { recursive: true })
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
// The pictures show the usual port where it is free to have.
const service = await serve(['--memory', '--seed', '2026', '--port', process.env.HANDSET_PORT ?? '7420'])
try {
  for (const picture of PICTURES) await take(service, picture)
} finally {
  await browser.close()
  await service.stop()
}
