import { button, row, type Visit } from './visit.ts'

/** Every part of the inspector, of calls that went well and of one that was signed wrong. */
export const inspectorTour = async (visit: Visit): Promise<void> => {
  const { page, bench, words, look } = visit
  await bench.register(await bench.addPhone())
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
  await page.locator('[data-part="resend"]').getByRole('button', { name: words.resend.why, exact: true }).waitFor()
  await look('an edited answer and the step that breaks')
}

/** What is pasted: nothing yet, what holds, what does not, what a verdict needs, and what is no text. */
export const inspectTour = async ({ page, words, look }: Visit): Promise<void> => {
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
