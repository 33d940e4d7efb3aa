import { expect, test } from './support/bench.ts'
import { codeElsewhere } from './support/code-elsewhere.ts'

test('a camera without a code in sight takes a picture, chosen or dropped @long', async ({ open, bench, page }) => {
  await bench.addPhone()
  const { png } = await codeElsewhere(bench)
  const desk = await open()
  const alice = desk.phone('Alice')
  await alice.camera.click()
  await expect(alice.says).toHaveText('No code in sight')
  const picture = alice.screen.getByLabel('A picture')
  await picture.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(alice.says).toHaveText('That is no picture')
  await picture.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: png })
  await expect(alice.heading).toHaveText('Register with Shop?')
  await alice.reject.click()

  const again = (await codeElsewhere(bench)).png
  const data = await page.evaluateHandle(async (base64) => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    transfer.items.add(new File([bytes], 'code.png', { type: 'image/png' }))
    return transfer
  }, again.toString('base64'))
  await alice.screen.dispatchEvent('drop', { dataTransfer: data })
  await expect(alice.heading).toHaveText('Register with Shop?')
})
