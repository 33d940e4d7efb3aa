import { ask, button, heading, row, type Visit } from './visit.ts'

/** The bench, from the first phone to a request that ran out. */
export const benchTour = async (visit: Visit): Promise<void> => {
  const { page, bench, words, look } = visit
  const { control } = bench
  const params = { rp: bench.rp.id }
  await button(page, words.phone.addFirst).waitFor()
  await page.getByRole('region', { name: words.direction.title }).waitFor()
  await look('an empty bench')
  const { id } = await bench.addPhone()
  await button(page, words.phone.scan('Alice')).click()
  await page.getByText(words.phone.camera.nothing, { exact: true }).waitFor()
  await look('a camera with no code in sight')
  await button(page, words.phone.done).click()
  await button(page, words.rp.form.toSignIn).click()
  await look('the sign-in form')
  const { url } = await control.call('simulator.register', { params, body: ask })
  await page.getByRole('img', { name: words.rp.scan.code.registration }).waitFor()
  await look('a code')
  await control.call('phones.scan', { params: { id }, body: { url } })
  await button(page, words.phone.request.touch).waitFor()
  await look('a request on the phone')
  await control.call('phones.approve', { params: { id }, body: {} })
  await heading(page, words.rp.done.registered).waitFor()
  await heading(page, words.phone.success.registration).waitFor()
  await look('registered')
  await button(page, words.rp.showKeys(words.rp.passkeys(1))).click()
  await page.getByRole('button', { name: words.deleted.delete('') }).click()
  await button(page, words.deleted.undo).waitFor()
  await look('passkeys, one of them just deleted')
  await button(page, words.deleted.undo).click()
  await button(page, words.rp.keys.back).click()
  await control.call('phones.home', { params: { id }, body: {} })
  await button(page, words.phone.settings('Alice')).click()
  await look('settings of a phone')
  await button(page, words.phone.settings('Alice')).click()

  await control.call('phones.arm', { params: { id }, body: { fault: 'origin-wrong' } })
  const push = await control.call('simulator.sign-in', { params, body: { ...ask, method: 'push' } })
  await button(page, words.phone.openPush('Demo RP')).waitFor()
  await look('a push')
  await control.call('phones.open', { params: { id }, body: { msg_id: push.msg_id } })
  await button(page, words.phone.request.touch).waitFor()
  await control.call('phones.approve', { params: { id }, body: {} })
  await heading(page, words.rp.failed.signIn).waitFor()
  await look('a failure')
  await page.locator('[data-part="rp-window"]').getByRole('button', { name: words.timeline.why }).first().click()
  await page.getByRole('listbox', { name: words.inspector.verdict.list }).waitFor()
  await look('an explanation at the right')
  await button(page, words.inspector.dockBottom).click()
  await look('an explanation at the bottom')
  await page.locator('[data-part="inspector"]').getByRole('button', { name: words.inspector.close }).click()
  await page.getByRole('searchbox', { name: words.timeline.filter }).fill('no such thing')
  await look('a filter that nothing matches')
  await page.getByRole('searchbox', { name: words.timeline.filter }).fill('')
  await button(page, words.timeline.foldAll).click()
  await look('a folded timeline')
  await button(page, words.timeline.unfoldAll).click()

  await control.call('simulator.sign-in', { params, body: { ...ask, method: 'qrcode' } })
  await page.getByRole('img', { name: words.rp.scan.code.authentication }).waitFor()
  await control.call('clock.advance', { body: { ms: 180_000 } })
  await heading(page, words.rp.failed.timeout).waitFor()
  await look('out of time')
  await control.call('phones.arm', { params: { id }, body: { fault: 'answer-late', probability: 0.3 } })
  await button(page, words.phone.settings('Alice')).click()
  await page.getByRole('list', { name: words.phone.set.faults }).waitFor()
  await control.call('phones.lose', { params: { id }, body: {} })
  await page.getByRole('switch', { name: words.phone.set.online, checked: false }).click()
  const refusal = page.locator('[data-part="phone-turned-away"]')
  await refusal.waitFor()
  await look('a phone that refuses')
  await refusal.getByRole('button').click()
  await refusal.waitFor({ state: 'hidden' })
}

/** *Connect your server*, from nothing to a code that waits. */
export const connectTour = async ({ page, bench, words, look }: Visit): Promise<void> => {
  const { connect } = words
  const keys = (await bench.control.call('keys.list', { params: { rp: bench.rp.id } })).keys
  const accessKeyId = keys[0]?.id ?? ''
  const phone = await bench.addPhone()
  await bench.register(phone)
  await page.keyboard.press('ControlOrMeta+k')
  await page
    .getByRole('dialog', { name: words.palette.title })
    .getByRole('combobox')
    .fill(words.palette.names['first-steps'])
  await page.keyboard.press('Enter')
  await look('the first steps, brought back')
  await page.getByRole('button', { name: words.direction.connect.title }).click()
  const steps = page.getByRole('region', { name: connect.steps })
  await steps.waitFor()
  await look('how to connect a server')
  const stranger = bench.rpWith({ accessKeyId: 'unknown', secretKey: 'another secret' })
  await stranger.credentials('alice')
  stranger.close()
  await steps.getByText(connect.stray).waitFor()
  await look('a call that names no key of the RP')
  await bench.signForAnotherHost('localhost')
  await steps.getByText(connect.fix.line).waitFor()
  await look('a server that signs another host')
  const { secret } = await bench.control.call('keys.reveal', {
    params: { rp: bench.rp.id, key: accessKeyId },
    body: {},
  })
  const server = bench.rpWith({ accessKeyId, secretKey: secret })
  await server.authenticate({ user_id: 'alice', username: 'alice', method: 'qrcode' })
  server.close()
  await page.getByText(connect.ceremony.scan('Alice'), { exact: true }).waitFor()
  await look('a code of one’s own server')
}

/** What lies over the bench. */
export const overlayTour = async ({ page, bench, words, look }: Visit): Promise<void> => {
  await bench.addPhone()
  await button(page, words.phone.settings('Alice')).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: words.palette.title })
  await palette.waitFor()
  await look('the palette')
  await palette.getByRole('combobox').fill('xyzzy')
  await palette.getByText(words.palette.none).waitFor()
  await look('a palette that finds nothing')
  await palette.getByRole('combobox').fill('alice')
  await palette.getByRole('group', { name: words.palette.found.groups.phones }).waitFor()
  await look('a palette with what it found')
  await page.keyboard.press('Escape')
  await page.keyboard.press('.')
  await page.locator('[data-part="notice"]').waitFor()
  await look('a command that was refused')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: words.shortcuts.title }).waitFor()
  await look('the list of keys')
}

/** One pane at a time. */
export const narrowTour = async (visit: Visit): Promise<void> => {
  const { page, bench, words, look } = visit
  const { control } = bench
  const tab = page.getByRole('navigation', { name: words.frame.panes })
  await tab.getByRole('button', { name: words.frame.mobile.timeline, exact: true }).click()
  await page.getByRole('region', { name: words.direction.title }).waitFor()
  await look('the first steps')
  await page.getByRole('button', { name: words.direction.connect.title }).click()
  await bench.signForAnotherHost('localhost')
  await page.getByText(words.connect.fix.line).waitFor()
  await look('how to connect a server')
  await button(page, words.connect.close).click()
  const phone = await bench.addPhone()
  await bench.register(phone)
  const params = { rp: bench.rp.id }
  const scan = async () => {
    const { url } = await control.call('simulator.sign-in', { params, body: { ...ask, method: 'qrcode' } })
    await control.call('phones.scan', { params: { id: phone.id }, body: { url } })
  }
  await control.call('service.arm', { body: { fault: 'user-of-another' } })
  await scan()
  await control.call('phones.approve', { params: { id: phone.id }, body: {} })
  await page.getByText(words.timeline.told.refused, { exact: true }).waitFor()
  await scan()
  const panes = page.getByRole('navigation', { name: words.frame.panes })
  for (const pane of ['rp', 'phones', 'timeline'] as const) {
    await panes.getByRole('button', { name: words.frame.mobile[pane], exact: true }).click()
    await look(pane)
  }
  await row(visit, 'POST app/messages/{msg_id}/attestation').click()
  await panes.getByRole('button', { name: words.frame.mobile.inspect, exact: true }).click()
  await page.getByRole('tab', { name: words.inspector.steps, exact: true }).click()
  await look('inspector')
  await button(page, words.frame.console).click()
  const place = (name: string) =>
    page.getByRole('navigation', { name: words.frame.console, exact: true }).getByRole('button', { name })
  for (const name of ['profile', 'phones', 'devices', 'roots', 'workspaces', 'time'] as const) {
    await place(words.console[name]).click()
    await look(`console, ${name}`)
  }
}
