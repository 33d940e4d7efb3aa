import { en } from '../../src-main/core/messages/en/en.ts'
import { expect, test } from './support/bench.ts'
import { desk as deskOf } from './support/pages/desk.ts'

const pathIn = (page: { url: () => string }): string => {
  const { pathname, search } = new URL(page.url())
  return pathname.replace(/^\/w\/[^/]+/, '') + search
}

test('a failed ceremony has an address that back, forward and a reload lead to', async ({ open, bench, page }) => {
  await bench.registered('origin-wrong')
  const desk = await open()
  await desk.rp.signInByCode()
  await desk.phone('Alice').answer()
  await expect(desk.rp.status).toContainText('origin_mismatch')
  await expect(page).toHaveTitle(/^Bench · /)

  await desk.timeline.root.getByRole('button', { name: 'Why did alice fail?' }).click()
  await expect(desk.inspector.chosen).toBeVisible()
  await expect.poll(() => pathIn(page)).toMatch(/^\/c\/[\w-]{22}\/steps$/)
  await expect(page).toHaveTitle(/^✗ Sign in alice by QR code · /)
  const ceremony = pathIn(page)

  await desk.timeline.row('Read the result').last().click()
  await expect.poll(() => pathIn(page)).toMatch(/^\/e\/\d+\/\w+$/)
  // Whichever of its exchanges is looked into says why it failed.
  await desk.inspector.tab('Overview').click()
  await expect(desk.inspector.panel.getByRole('heading', { level: 2 })).toHaveText(en.failures.origin_mismatch)
  await expect(desk.inspector.panel.getByRole('button', { name: 'Why did alice fail?' })).toBeVisible()
  await desk.inspector.tab('Response').click()
  await expect.poll(() => pathIn(page)).toMatch(/^\/e\/\d+\/response$/)
  const exchange = pathIn(page)
  await desk.console.open()
  await desk.console.place('Phones').click()
  await expect.poll(() => pathIn(page)).toBe('/console/phones')
  await expect(page).toHaveTitle(/^Phones · Console · /)

  await page.goBack()
  await expect.poll(() => pathIn(page)).toBe('/console')
  await page.goBack()
  await expect(desk.inspector.tab('Response')).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => pathIn(page)).toBe(exchange)
  await page.goBack()
  await expect(desk.inspector.chosen).toBeVisible()
  await expect.poll(() => pathIn(page)).toBe(ceremony)
  await page.goBack()
  await expect(desk.inspector.root).toBeHidden()
  await page.goForward()
  await expect(desk.inspector.chosen).toBeVisible()

  await page.reload()
  await expect(desk.inspector.chosen).toBeVisible()
  await expect.poll(() => pathIn(page)).toBe(ceremony)
  // As *Copy link* at its head writes it: a reader sees the reason at once.
  await page.goto(page.url().replace(/\/steps$/, ''))
  await expect(desk.inspector.panel.getByRole('heading', { level: 2 })).toHaveText(en.failures.origin_mismatch)
  await expect(desk.inspector.chosen).toBeVisible()
  await desk.inspector.close.click()
  await expect.poll(() => pathIn(page)).toBe('/')
})

test('a copied link opens here; elsewhere it asks @long', async ({ open, bench, service, page, context, browser }) => {
  await bench.registered()
  await open()
  await page.evaluate(() => {
    const copied: string[] = []
    Object.assign(globalThis, { copied })
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => void copied.push(text) },
    })
  })
  const copied = () => page.evaluate(() => (globalThis as unknown as { copied: string[] }).copied[0] ?? '')
  await page.getByRole('button', { name: 'Copy the link to: Register alice by QR code' }).click()
  await expect.poll(copied).toMatch(/\/w\/[\w-]+\/c\/[\w-]{22}$/)
  const link = await copied()

  // The same bench under another name of this machine is another origin: it asks, and nobody answers.
  const stranger = await context.newPage()
  await stranger.goto(
    link.replace(/127\.0\.0\.1|localhost/, (host) => (host === 'localhost' ? '127.0.0.1' : 'localhost')),
  )
  await expect(deskOf(stranger).gate).toHaveText('This page needs its key')
  await stranger.evaluate(() => {
    const heard: unknown[] = []
    const channel = new BroadcastChannel('handset.session')
    channel.addEventListener('message', ({ data }) => heard.push(data))
    channel.postMessage({ kind: 'ask' })
    Object.assign(globalThis, { heard })
  })

  const tab = await context.newPage()
  await tab.goto(link)
  await expect(deskOf(tab).inspector.tab('Overview')).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => stranger.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)).toEqual([])
  await expect(deskOf(stranger).gate).toHaveText('This page needs its key')

  const elsewhere = await (await browser.newContext()).newPage()
  await elsewhere.goto(link)
  const desk = deskOf(elsewhere)
  await expect(desk.gate).toHaveText('This page needs its key')
  await elsewhere.locator('input[type=password]').fill(service.ready.token)
  await elsewhere.keyboard.press('Enter')
  await expect(desk.inspector.tab('Overview')).toHaveAttribute('aria-selected', 'true')
  await expect(elsewhere).toHaveTitle(/^✓ Register alice by QR code · /)
  await elsewhere.context().close()
})

test('a link survives a used code, and a wrong or an old token @long', async ({ bench, service, page, context }) => {
  const [home = ''] = (await bench.invite()).split('#')
  const link = `${home.replace(/\/$/, '')}/console/profile/message_ttl_s`
  await page.goto(`${link}#code=used-before`)
  const desk = deskOf(page)
  await expect(desk.gate).toHaveText('This address was used before')
  await expect(page).toHaveURL(link)
  const door = page.locator('input[type=password]')
  await door.fill('not the token')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('neither the token of this start nor a code')
  await expect(page).toHaveURL(link)
  await door.fill(service.ready.token)
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-led]')).toContainText('message_ttl_s')
  await expect(page).toHaveTitle(/^Profile · Console · /)
  await expect(page.getByRole('button', { name: 'Copy the link to: Profile' })).toBeVisible()

  await page.evaluate(() => sessionStorage.setItem('handset.token', 'of-an-earlier-start'))
  await page.reload()
  await expect(desk.gate).toHaveText('Handset restarted')
  // Two tabs of an earlier start: neither opens the other, and a new address given to one opens both.
  const other = await context.newPage()
  await other.goto(link)
  await expect(deskOf(other).gate).toHaveText('This page needs its key')
  await other.locator('input[type=password]').fill(await bench.invite())
  await other.keyboard.press('Enter')
  await expect(other.locator('[data-led]')).toContainText('message_ttl_s')
  await expect(page.locator('[data-led]')).toContainText('message_ttl_s')
})

test('an address of what is not there says so, and does not stand in the way @long', async ({ open, bench, page }) => {
  const desk = await open()
  const { pathname, origin } = new URL(page.url())
  for (const nowhere of ['cnsole/profile', 'c/AAAAAAAAAAAAAAAAAAAAAA']) {
    await page.goto(`${origin}${pathname.replace(/\/$/, '')}/${nowhere}`)
    await expect(desk.inspector.root).toContainText('This workspace has nothing at this address.')
  }
  await page.goto(`${origin}${pathname.replace(/\/$/, '')}/console/rp/nope`)
  await expect(page.locator('[data-part="console-main"]')).toHaveText('This workspace has no such RP.')
  await page.goto(`${origin}${pathname}`)
  await bench.registered()
  await desk.timeline.row('Ask to register').click()
  await expect(desk.inspector.tab('Request')).toBeVisible()
})
