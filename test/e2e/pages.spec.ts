import { expect, test } from './support/bench.ts'
import { openDesk } from './support/pages/desk.ts'
import { createSetting } from './support/setting.ts'

test('an unsigned call from elsewhere leaves a live code alone, and is a note @long', async ({ open, bench }) => {
  await bench.addPhone()
  const desk = await open()
  await desk.rp.register()
  const { base_url } = (await bench.control.call('overview')).addresses
  await fetch(`${base_url}/rp/assertion/options`, { method: 'POST', body: '{"user_id":"nobody","username":"nobody"}' })

  await expect(desk.rp.note).toContainText('40101')
  await expect(desk.rp.registrationCode).toBeVisible()
  await expect(desk.rp.root).not.toContainText('nobody')
  await desk.phone('Alice').scan()
  await expect(desk.rp.status).toHaveText('Scanned by Alice (138****5678)')

  await desk.rp.note.getByRole('button', { name: 'Why?' }).click()
  await expect(desk.inspector.root).toContainText('40101')
  await desk.rp.note.getByRole('button', { name: 'Dismiss this note' }).click()
  await expect(desk.rp.note).toBeHidden()
})

test('two pages of one bench each show what they began, even reloaded @long', async ({ open, bench, context }) => {
  await bench.addPhone()
  const first = await open()
  const second = await openDesk(await context.newPage(), await bench.invite())
  await first.rp.register()
  await second.rp.username.fill('bo')
  await second.rp.register()
  await expect(second.timeline.group('Register bo by QR code')).toBeVisible()
  await expect(first.timeline.group('Register bo by QR code')).toBeVisible()
  for (const [desk, name] of [
    [first, 'alice'],
    [second, 'bo'],
  ] as const) {
    await desk.page.reload()
    await expect(desk.rp.registrationCode).toBeVisible()
    await expect(desk.rp.root.locator('[data-part="caption"]')).toContainText(name)
  }
})

test('two pages in two workspaces do not see each other @long', async ({ open, bench, service, context }) => {
  const made = await service.control.call('workspaces.create', { body: {} })
  const neighbour = await createSetting(service.control.workspace(made.id), {
    invite: () => service.invite(made.ui_url),
  })
  const here = await open()
  const there = await openDesk(await context.newPage(), await neighbour.invite())
  await expect(there.statusBar).toContainText(`Workspace ${made.id}`)

  await bench.registered()
  await neighbour.addPhone('Bo')
  await expect(here.phone('Alice').root).toBeVisible()
  await expect(there.phone('Bo').root).toBeVisible()
  await expect(here.timeline.group('Register alice by QR code')).toBeVisible()

  await expect(there.phone('Alice').root).toBeHidden()
  await expect(here.phone('Bo').root).toBeHidden()
  await expect(there.timeline.groups).toHaveCount(1)
  await expect(there.rp.root).toContainText('No passkey')

  await there.rp.register()
  await expect(there.rp.registrationCode).toBeVisible()
  await here.rp.startAgain.click()
  await expect(here.rp.byCode).toBeVisible()
  await service.control.call('workspaces.close', { params: { id: made.id } })
  await expect(there.gate).toHaveText('This workspace is not there')
  await expect(here.statusBar).toHaveText(/^Running/)
  await there.page.getByRole('button', { name: 'Go to the main workspace' }).click()
  await expect(there.statusBar).toHaveText(/^Running/)
  await expect(there.statusBar).not.toContainText('Workspace')
})
