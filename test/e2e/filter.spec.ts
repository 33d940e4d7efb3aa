import { expect, test } from './support/bench.ts'

test('the filter finds each word of a row, its group, its verdict and its error @long', async ({ open, bench }) => {
  // Nothing here goes on into the next hour, wherever this machine is.
  await bench.control.call('clock.put', { body: { now: Date.UTC(2026, 4, 4, 9, 5) } })
  const phone = await bench.registered()
  const desk = await open()
  const alice = desk.phone('Alice')
  const { filter, root } = desk.timeline
  await bench.arm(phone, 'origin-wrong')
  await desk.rp.signInByCode()
  await alice.answer()
  await expect(desk.rp.status).toContainText('origin_mismatch')
  await bench.control.call('service.arm', { body: { fault: 'user-of-another' } })
  await desk.rp.tryAgain.click()
  await alice.answer()
  await expect(desk.rp.root).toContainText('Nobody is signed in.')
  const groups = root.getByRole('group')
  await filter.fill('phishing')
  // All of the ceremony, not only the row that failed.
  await expect(groups.getByRole('button', { name: /^Ask to sign in/ })).toBeVisible()
  await filter.fill('is:refused')
  await expect(groups).toHaveCount(2)
  const counted = bench.control.call('events.ceremonies', { query: { limit: 0 } })
  await expect(counted).resolves.toMatchObject({ chips: { refused: 2 } })
  await filter.fill('state:xyz')
  await expect(root).toContainText('“state:” takes init, bind')
  await filter.fill('')
  await expect(groups).toHaveCount(4)

  const read = () =>
    groups.evaluateAll((all) =>
      all.map((group) => {
        const words = (group as HTMLElement).innerText.split(/[\s·]+/).filter(Boolean)
        return { name: group.getAttribute('aria-label') ?? '', words }
      }),
    )
  const wordsOf = (said: Awaited<ReturnType<typeof read>>) => new Set(said.flatMap((group) => group.words))
  await expect.poll(async () => wordsOf(await read()).size).toBeGreaterThan(40)
  const said = await read()
  for (const word of wordsOf(said)) {
    await filter.fill(word)
    for (const { name } of said.filter((group) => group.words.includes(word)))
      await expect(root.getByRole('group', { name, exact: true }).first(), `“${word}” of ${name}`).toBeVisible()
  }
  for (const { name, words } of said) {
    // All of them at once, as when a head is pasted.
    await filter.fill(words.slice(0, 3).join(' · '))
    await expect(root.getByRole('group', { name, exact: true }).first(), name).toBeVisible()
  }
  // After a reload the older exchanges are read without their bodies, and are found by the same words.
  await desk.page.reload()
  await filter.fill('es256 phishing')
  await expect(groups).toHaveCount(1)
})
