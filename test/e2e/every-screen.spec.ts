import { profileSettings } from '../../src-main/core/contract/profile.ts'
import { LANGUAGES } from '../../src-renderer/ui/language.ts'
import { expect, test } from './support/bench.ts'
import { benchTour, connectTour, narrowTour, overlayTour } from './support/every-screen.ts'
import { ALL_SIZES, expectFits, fitsAt, inTurn, TIGHTEST } from './support/layout.ts'
import { readable, SCHEMES } from './support/readable.ts'
import { ask, button, row, type Visit, WORDS } from './support/visit.ts'

/** Every place of the console. */
const consoleTour = async (visit: Visit): Promise<void> => {
  const { page, bench, words, look } = visit
  const settings = words.console
  const { control } = bench
  const phone = await bench.registered()
  await control.call('phones.arm', { params: { id: phone.id }, body: { fault: 'origin-wrong' } })
  await control.call('profile.patch', { body: { clock_skew_s: 60, final_result: 'repeatable' } })
  await button(page, words.frame.console).click()
  const place = (name: string) =>
    page.getByRole('navigation', { name: words.frame.console, exact: true }).getByRole('button', { name })
  const keys = page.getByRole('region', { name: settings.keys.title })
  await keys.getByRole('row').nth(1).waitFor()
  await look('an RP')
  await keys.getByRole('button', { name: settings.keys.add }).click()
  await keys.getByRole('row').nth(2).waitFor()
  await keys.locator('tbody button').last().click()
  await button(page, words.deleted.undo).waitFor()
  await look('a key that was just deleted')
  await place(settings.addRp).click()
  await look('a new RP')

  await place(settings.profile).click()
  const groups = page.getByRole('radiogroup', { name: settings.profilePage.groups }).getByRole('radio')
  const count = new Set(Object.values(profileSettings).map(({ group }) => group)).size
  for (let nth = 0; nth < count; nth++) {
    await groups.nth(nth).click()
    await look(`settings, group ${nth + 1}`)
  }

  await place(settings.phones).click()
  const ofAlice = page.getByRole('region', { name: words.phone.label('Alice'), exact: true })
  await ofAlice.getByRole('button', { name: settings.phonesPage.arm, exact: true }).click()
  const popover = page.getByRole('dialog')
  await popover.getByRole('listitem').first().waitFor()
  await look('phones, and faults to choose from')
  await popover.getByRole('searchbox').fill('answer-late')
  await popover.getByRole('button', { name: /answer-late/ }).click()
  await look('a fault of a phone')
  const form = page.getByRole('form', { name: 'answer-late' })
  await form.getByText(settings.faults.oftens.times, { exact: true }).click()
  await form.getByRole('textbox', { name: settings.faults.times, exact: true }).fill('0')
  await form.getByRole('button', { name: settings.faults.arm, exact: true }).click()
  await form.getByRole('alert').waitFor()
  await look('a fault that cannot be armed like this')
  await button(page, words.breaking.close).click()
  const ofService = page.getByRole('region', { name: settings.serviceFaults.title, exact: true })
  await ofService.getByRole('button', { name: settings.serviceFaults.arm, exact: true }).click()
  await popover.getByRole('listitem').first().waitFor()
  await popover.getByRole('searchbox').fill('user-of-another')
  await popover.getByRole('button', { name: /user-of-another/ }).click()
  await look('faults of the service to choose from')
  await button(page, words.breaking.close).click()
  await place(settings.devices).click()
  await page.getByRole('region', { name: settings.devicesPage.accountOf('Alice') }).waitFor()
  await look('accounts and devices')
  await place(settings.roots).click()
  await page.getByRole('table').getByRole('row').nth(1).waitFor()
  await look('trust roots')
  await place(settings.workspaces).click()
  await page.getByRole('table').getByRole('row').nth(1).waitFor()
  await button(page, settings.snapshots.take).click()
  await control.call('simulator.register', { params: { rp: bench.rp.id }, body: ask })
  await look('workspaces, and a snapshot to name')
}

/** Every part of the inspector, of calls that went well and of one that was signed wrong. */
const inspectorTour = async (visit: Visit): Promise<void> => {
  const { page, bench, words, look } = visit
  await bench.registered()
  await row(visit, 'POST rp/attestation/options').click()
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  for (const part of ['overview', 'request', 'response', 'signature'] as const) {
    await tab(words.inspector[part]).click()
    await look(part)
  }
  await row(visit, 'POST app/messages/{msg_id}/attestation').click()
  await tab(words.inspector.request).click()
  await page.locator('[data-part="unfold"]').nth(3).click()
  await page.locator('[data-part="unfolded"]').waitFor()
  await look('a value of a request, unfolded')
  for (const part of ['decoded', 'steps'] as const) {
    await tab(words.inspector[part]).click()
    await look(part)
  }
  await button(page, words.inspector.hold).click()
  await row(visit, 'POST rp/attestation/options').click()
  await page.getByRole('tab', { name: words.inspector.compare, exact: true }).waitFor()
  await look('two exchanges compared')
  await button(page, words.inspector.letGo).click()
  const [key] = (await bench.control.call('keys.list', { params: { rp: bench.rp.id } })).keys
  const stranger = bench.rpWith({ accessKeyId: key?.id ?? '', secretKey: 'another secret' })
  await stranger.credentials('alice')
  stranger.close()
  // The page itself has asked for passkeys before: this is the request that was refused.
  await page.locator('[data-refused]').click()
  await page.getByText(words.inspector.signing.explained.unexplained, { exact: true }).waitFor()
  await look('a signature that does not match')
  const send = button(page, words.resend.send)
  await row(visit, 'POST rp/attestation/options').click()
  await tab(words.inspector.resend).click()
  await send.waitFor()
  await look('a request to edit and send again')
  await page.getByText(words.resend.bodyForms.fields, { exact: true }).click()
  await look('a body to edit by its fields')
  await send.click()
  await button(page, words.resend.compare).click()
  await tab(words.inspector.overview).click()
  await look('an exchange that was sent again')
  await button(page, words.inspector.letGo).click()
  await row(visit, 'POST app/messages/{msg_id}/attestation').click()
  await tab(words.inspector.resend).click()
  const origin = page.getByRole('textbox', { name: words.resend.memberValue('origin'), exact: true })
  await origin.fill('https://evil.example')
  await page.getByRole('textbox', { name: words.resend.hexFields.rpIdHash }).fill('0')
  await look('an answer with half a byte')
  await button(page, words.resend.undo).click()
  await origin.fill('https://evil.example')
  await send.click()
  await page.locator('[data-part="resend"]').getByRole('button', { name: words.timeline.why, exact: true }).waitFor()
  await look('an edited answer and the step that breaks')
}

/** What is pasted: nothing yet, what holds, what does not, what a verdict needs, and what is no text. */
const inspectTour = async ({ page, words, look }: Visit): Promise<void> => {
  const { inspect } = words
  const screens = page.getByRole('navigation', { name: words.frame.screens })
  await screens.getByRole('button', { name: words.frame.inspect, exact: true }).click()
  await page.getByText(inspect.emptyLead).waitFor()
  await look('nothing to inspect yet')
  for (const name of ['registration', 'elsewhere', 'request', 'attestationObject', 'certificate'] as const) {
    await button(page, inspect.samples[name]).click()
    await page.locator('[data-part="finding"]').first().waitFor()
    await look(`inspected: ${name}`)
    if (name === 'registration') {
      await page.getByLabel(inspect.fields.options.name, { exact: true }).fill('{}')
      await page.getByText(inspect.fields.options.wrong).waitFor()
      await page.getByText(inspect.noVerdict).waitFor()
      await look('a verdict that needs the options')
    }
    await button(page, inspect.clear).click()
  }
  const picture = { name: 'code.png', mimeType: 'image/png', buffer: Buffer.from('png') }
  await page.locator('input[type="file"]').and(page.getByLabel(inspect.chooseFile)).setInputFiles(picture)
  await page.getByText(inspect.problems.picture).waitFor()
  await look('a picture that cannot be inspected')
}

type Tour = readonly [string, (visit: Visit) => Promise<void>]

const TOURS: readonly Tour[] = [
  ['on the bench, from the first phone to a request that ran out', benchTour],
  ['where a server is connected', connectTour],
  ['in the palette, a notice and the list of keys', overlayTour],
  ['in the inspector', inspectorTour],
  ['in the console', consoleTour],
  ['on the page Inspect', inspectTour],
]

for (const language of ['en', 'zh'] as const) {
  const { name, tag } = LANGUAGES[language]
  const words = WORDS[language]

  test.describe(name, { tag: ['@long', '@nightly'] }, () => {
    test.use({ locale: tag })

    for (const [where, tour] of TOURS) {
      test(`axe finds nothing, everything is in reach and nothing is cut ${where}`, async ({ open, bench, page }) => {
        await open(words)
        const isReadable = readable(page, language, inTurn(SCHEMES, []))
        const fits = fitsAt(page, inTurn(language === 'en' ? ALL_SIZES : TIGHTEST, []))
        const look = async (screen: string) => {
          await isReadable(screen)
          await fits(screen)
        }
        await tour({ page, bench, words, look })
      })
    }

    // looks.spec.ts uses this screen, which has nothing that the wide one has not.
    test.describe('390 by 844 pixels', () => {
      test.use({ viewport: { width: 390, height: 844 } })

      test('axe finds nothing, and all is in reach and whole, on the narrow screen', async ({ open, bench, page }) => {
        await open(words)
        const isReadable = readable(page, language, inTurn(SCHEMES, []))
        const look = async (screen: string) => {
          await isReadable(screen)
          await expectFits(page, screen)
        }
        await narrowTour({ page, bench, words, look })
      })
    })

    test('axe finds nothing on a page without its key', async ({ bench, page }) => {
      const [plain = ''] = (await bench.invite()).split('#')
      await page.goto(plain)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.gate.none.title)
      await readable(page, language)('the gate')
    })
  })
}
