import { expect, test } from './support/bench.ts'
import { openDesk } from './support/pages/desk.ts'

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

test('a page whose workspace is closed says so, and leads to the main one @long', async ({ service, page }) => {
  const made = await service.control.call('workspaces.create', { body: {} })
  const desk = await openDesk(page, await service.invite(made.ui_url))
  await expect(desk.statusBar).toContainText(`Workspace ${made.id}`)
  await service.control.call('workspaces.close', { params: { id: made.id } })
  await expect(desk.gate).toHaveText('This workspace is not there')
  await page.getByRole('button', { name: 'Go to the main workspace' }).click()
  await expect(desk.statusBar).toHaveText(/^Running/)
  await expect(desk.statusBar).not.toContainText('Workspace')
})
