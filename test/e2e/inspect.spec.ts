import type { Locator, Page } from '@playwright/test'
import { createHar } from '../../src-main/views/report/har.ts'
import { expect, test } from './support/bench.ts'

/** The page that says what anything pasted is. */
const inspectView = (page: Page) => {
  const root = page.getByRole('main').and(page.locator('[data-part="inspect"]'))
  const finding = root.locator('[data-part="finding"]').first()
  return {
    root,
    field: page.getByRole('textbox', { name: 'What do you have?' }),
    open: () => page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Inspect' }).click(),
    example: (name: string) => root.getByRole('button', { name, exact: true }),
    finding,
    headline: finding.getByRole('heading', { level: 2 }),
    verdict: finding.getByRole('status'),
    failed: finding.getByRole('list', { name: 'Checks that failed' }).getByRole('listitem'),
    file: root.locator('input[type="file"]'),
    given: (name: string) => root.getByLabel(name, { exact: true }),
    problem: root.getByRole('alert'),
    startOver: root.getByRole('button', { name: 'Start over' }),
  }
}

/** Ctrl-V of a text, with nothing that takes it in focus. */
const paste = async (page: Page, text: string): Promise<void> => {
  await page.evaluate((value) => navigator.clipboard.writeText(value), text)
  await page.keyboard.press('ControlOrMeta+v')
}

const AUTHENTICATOR_DATA = 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50d00000000'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('Ctrl-V on the bench opens Inspect with what was pasted, and names it', async ({ open, page }) => {
  const desk = await open()
  await paste(page, AUTHENTICATOR_DATA)
  const inspect = inspectView(page)
  await expect(inspect.headline).toHaveText('WebAuthn authenticator data')
  await expect(inspect.finding).toContainText('SHA-256 of "example.org"')
  await expect(page).toHaveURL(/^[^?#]*\/inspect$/)
  await expect(page).toHaveTitle(/^WebAuthn authenticator data · Inspect · /)

  // A field on the bench keeps what is pasted into it.
  await page.goBack()
  await desk.timeline.filter.focus()
  await paste(page, 'alice')
  await expect(desk.timeline.filter).toHaveValue('alice')
  await expect(inspect.root).toHaveCount(0)

  // What was looked at is still there, and gone with the page.
  await inspect.open()
  await expect(inspect.headline).toHaveText('WebAuthn authenticator data')
  await page.reload()
  await expect(inspect.field).toHaveValue('')
})

test('what a verdict needs is asked for, and the verdict follows as it is filled in @long', async ({ open, page }) => {
  await open()
  await page.keyboard.press('ControlOrMeta+3')
  const inspect = inspectView(page)
  await inspect.example('A registration that holds').click()
  await expect(inspect.verdict).toContainText('Verified')

  const origin = inspect.given('Origin')
  await origin.fill('https://evil.example')
  await expect(inspect.verdict).toContainText('Refused')
  await expect(inspect.failed).toContainText(['7.1.9'])
  // A click on the check shows its bytes; a second one folds it.
  const check = inspect.failed.first().locator('summary')
  const marked = inspect.finding.locator('[data-part="hex"][data-tone="fail"] b[data-on]')
  await expect(marked).toHaveCount(0)
  await check.press('Enter')
  await expect(marked.first()).toBeInViewport()
  await expect(inspect.finding.getByRole('radio', { name: /^clientDataJSON/ })).toBeChecked()
  await expect(check.locator('..')).toHaveAttribute('open')
  await check.click()
  await expect(check.locator('..')).not.toHaveAttribute('open')
  // On a phone, what it is and whether it holds stand above the fields.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(inspect.verdict).toBeInViewport({ ratio: 1 })
  const top = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN
  await expect.poll(async () => (await top(inspect.verdict)) < (await top(origin))).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await origin.fill('')
  await expect(inspect.verdict).toContainText('It needs the origin where the browser should have been')
  await origin.fill('not an origin')
  await expect(inspect.problem).toContainText('No origin')
  await origin.fill('https://example.org')
  await expect(inspect.verdict).toContainText('Verified')
})

test('a wrong signature is explained with a secret that stays in the page @long', async ({ open, page }) => {
  await open()
  const inspect = inspectView(page)
  await inspect.open()
  await inspect.example('A request whose signature is wrong').click()
  await expect(inspect.verdict).toContainText('You signed different JSON bytes than you sent')
  const secret = inspect.given('Secret')
  await expect(secret).toHaveAttribute('type', 'password')
  await secret.fill('')
  await expect(inspect.verdict).toContainText('It needs the access key')

  const kept = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))
  await expect.poll(kept).not.toContain('a-secret-for-this-example')
  await inspect.field.fill(
    (await inspect.field.inputValue()).replace('": "', '":"').replace(', "', ',"').replace('": "', '":"'),
  )
  await secret.fill('a-secret-for-this-example')
  await expect(inspect.verdict).toContainText('Verified')
})

test('a field of the tree marks its bytes, and a byte its field @long', async ({ open, page }) => {
  await open()
  const inspect = inspectView(page)
  await inspect.open()
  await inspect.example('Authenticator data in hex').click()
  const tree = inspect.finding.getByRole('tree')
  await tree.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('flags')
  const marked = inspect.finding.locator('[data-part="hex"] b[data-on]')
  await expect(marked.first()).toHaveText('0d')
  await inspect.finding.locator('[data-part="hex"] b[data-at="33"]').first().click()
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('signCount')
})

test('a file is chosen or dropped; one too large and a picture are refused @long', async ({ open, page }) => {
  await open()
  const inspect = inspectView(page)
  await inspect.open()
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    inspect.file.setInputFiles({ name, mimeType, buffer })
  await choose('auth.bin', 'application/octet-stream', Buffer.from(AUTHENTICATOR_DATA, 'hex'))
  await expect(inspect.headline).toHaveText('WebAuthn authenticator data')
  await expect(inspect.root).toContainText('auth.bin')
  await choose('large.bin', 'application/octet-stream', Buffer.alloc(4 * 1024 * 1024 + 1))
  await expect(inspect.problem).toContainText('up to 4 MiB')
  await choose('code.png', 'image/png', Buffer.from('x'))
  await expect(inspect.problem).toContainText('A picture')
  await inspect.startOver.click()

  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['{"code":40104,"data":{},"error":"no"}'], 'answer.json'))
    return transfer
  })
  await inspect.root.dispatchEvent('drop', { dataTransfer: dropped })
  await expect(inspect.headline).toHaveText('Answer of this interface')
  await expect(inspect.field).toHaveValue(/40104/)
})

test('a signed request and an archive need the secret alone in Inspect @long', async ({ open, bench, page }) => {
  await bench.registered()
  const [key] = (await bench.control.call('keys.list', { params: { rp: bench.rp.id } })).keys
  const { secret } = await bench.control.call('keys.reveal', {
    params: { rp: bench.rp.id, key: key?.id ?? '' },
    body: {},
  })
  const desk = await open()
  await desk.timeline.row('Ask to register').click()
  await desk.inspector.tab('Request').click()
  await desk.inspector.panel.getByRole('button', { name: 'Open in Inspect' }).first().click()
  const inspect = inspectView(page)
  await expect(inspect.headline).toHaveText('HTTP request')
  await expect(inspect.given('Access key ID')).toHaveValue(key?.id ?? '')
  await inspect.given('Secret').fill(secret)
  await expect(inspect.verdict).toContainText('Verified')
  // An archive of the bench is judged with the same secret; each exchange opens as if it had been pasted.
  const { events } = await bench.control.call('events.list', { query: { kind: 'exchange' } })
  const buffer = Buffer.from(JSON.stringify(createHar(events, 'test')))
  await inspect.file.setInputFiles({ name: 'bench.har', mimeType: 'application/json', buffer })
  await expect(inspect.headline).toHaveText('HTTP Archive')
  await expect(inspect.verdict).toContainText('Verified')
  const entry = inspect.finding
    .locator('summary')
    .filter({ hasText: 'POST' })
    .filter({ hasText: '/rp/attestation/options' })
  await entry.press('Enter')
  const opened = inspect.finding.locator('[data-kind="http-request"]')
  await expect(opened.getByRole('status').first()).toContainText('Verified')
  await expect(opened).toContainText('Answer of this interface')
})
