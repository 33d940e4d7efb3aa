import { expect, test } from './support/bench.ts'
import { openDesk } from './support/pages/desk.ts'
import { createSetting } from './support/setting.ts'

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
