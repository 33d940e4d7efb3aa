import { profileSettings } from '../../../src-main/contract/profile.ts'
import { ask, button, type Visit } from './visit.ts'

/** Every place of the console. */
export const consoleTour = async (visit: Visit): Promise<void> => {
  const { page, bench, words, look } = visit
  const settings = words.console
  const { control } = bench
  const phone = await bench.addPhone()
  await bench.register(phone)
  await control.call('phones.arm', { params: { id: phone.id }, body: { fault: 'origin-wrong' } })
  await control.call('profile.patch', { body: { clock_skew_s: 60, final_result: 'repeatable' } })
  await button(page, words.frame.console).click()
  const place = (name: string) =>
    page.getByRole('navigation', { name: settings.nav, exact: true }).getByRole('button', { name })
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
