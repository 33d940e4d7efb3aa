import { expect, test } from './support/bench.ts'

test('a request is edited, signed wrong and sent again by mouse; the answer leads to what differs and back', async ({
  open,
  bench,
}) => {
  await bench.register(await bench.addPhone())
  const desk = await open()
  const { inspector, page } = desk
  await desk.timeline.row('Ask to register').click()
  await inspector.tab('Edit').click()
  const form = page.getByRole('form', { name: 'Edit the request and send it again' })
  await form.getByText('Fields', { exact: true }).click()
  await form.getByRole('textbox', { name: 'Value of username' }).fill('mallory')
  await form.getByText('Text', { exact: true }).click()
  await expect(form.getByRole('textbox', { name: 'Body' })).toHaveValue(/"username":"mallory"/)
  await expect(form.getByRole('status')).toHaveText('1 edit')
  await form.getByRole('combobox', { name: 'Signature' }).selectOption('before_edits')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(form.getByRole('status')).toContainText('40104')

  await form.getByRole('button', { name: 'Compare with the original' }).click()
  await expect(inspector.tab('Compare')).toHaveAttribute('aria-selected', 'true')
  const changes = inspector.panel.locator('[data-part="changes"]').first()
  await expect(changes.getByText('body.username', { exact: true })).toBeVisible()
  await expect(changes.getByText('status', { exact: true })).toBeVisible()
  await expect(changes.getByText('header.authorization.signature')).toHaveCount(0)
  await inspector.panel.getByText(/^Differs in every call/).click()
  await expect(inspector.panel.getByText('header.authorization.signature')).toBeVisible()

  await inspector.tab('Overview').click()
  const links = inspector.panel.locator('[data-part="resend-links"]')
  await expect(links).toContainText('edited: body · Sign before the edits')
  const { events } = await bench.control.call('events.list', { query: { kind: 'exchange' } })
  const [again] = events.filter((event) => event.kind === 'exchange' && event.resent !== undefined)
  if (again?.kind !== 'exchange') throw new Error('nothing was sent again')
  await links.getByRole('button', { name: `#${again.resent?.from}` }).click()
  await expect(links).toContainText('Sent again as')
  await links.getByRole('button', { name: `#${again.seq}` }).click()
  await expect(links).toContainText('Sent again from')
})

test('a phone’s answer is edited field by field with the keyboard, and the judge names the step that breaks', async ({
  open,
  bench,
}) => {
  await bench.register(await bench.addPhone())
  const desk = await open()
  const { inspector, page } = desk
  await desk.timeline.row('Registers passkey').first().click()
  await page.keyboard.press('e')
  await expect(inspector.tab('Edit')).toHaveAttribute('aria-selected', 'true')
  const form = page.getByRole('form', { name: 'Edit the answer and give it again' })
  await form.getByRole('textbox', { name: 'Value of origin' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('https://evil.example')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('status')).toContainText('origin_mismatch')
  const why = form.getByRole('button', { name: 'Why?' })
  await why.focus()
  await page.keyboard.press('Enter')
  await expect(inspector.tab('Steps')).toHaveAttribute('aria-selected', 'true')
  await expect(inspector.chosen).toContainText('7.1')
})

test('an answer’s bytes are edited under the honest signature; what cannot be sent is said at the form', async ({
  open,
  bench,
}) => {
  await bench.register(await bench.addPhone())
  const desk = await open()
  const { page } = desk
  await desk.timeline.row('Registers passkey').first().click()
  await desk.inspector.tab('Edit').click()
  const form = page.getByRole('form', { name: 'Edit the answer and give it again' })
  const bytes = form.getByRole('textbox', { name: 'Authenticator data, in hex' })
  const before = await bytes.inputValue()
  await bytes.fill(before.slice(0, -1))
  await expect(form.getByRole('alert')).toHaveText('Two hex digits make a byte.')
  await expect(form.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await bytes.fill(`00${before.slice(2)}`)
  await form.getByText('Edit after signing').click()
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(form.getByRole('status')).toContainText('rp_id_hash_mismatch')
  await form.getByRole('button', { name: 'Undo all edits' }).click()
  await expect(bytes).toHaveValue(before)

  await desk.timeline.row('Ask to register').first().click()
  await desk.inspector.tab('Edit').click()
  const request = page.getByRole('form', { name: 'Edit the request and send it again' })
  await request.getByRole('textbox', { name: 'Path and query' }).fill('/control/v1/rps')
  await request.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(request.getByRole('alert')).toContainText('/fido/rp/')
})
