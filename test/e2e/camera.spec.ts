import { expect, test } from './support/bench.ts'
import { codeElsewhere } from './support/code-elsewhere.ts'
import { lookInVain } from './support/look-in-vain.ts'

test('a camera with no code in sight can be shown a picture, chosen or let fall on the phone', async ({
  open,
  bench,
  page,
}) => {
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

test('a camera is held before the webcam until it sees a code, and gives it back', async ({ open, bench, page }) => {
  await bench.addPhone()
  const { png, msgId } = await codeElsewhere(bench)
  // The device is the test's own: what it sees is white, until a code is held before it.
  await page.addInitScript(() => {
    const paper = document.createElement('canvas')
    paper.width = 640
    paper.height = 480
    const ink = paper.getContext('2d')
    const draw = (picture?: ImageBitmap) => {
      if (ink === null) return
      ink.fillStyle = 'white'
      ink.fillRect(0, 0, 640, 480)
      if (picture !== undefined) ink.drawImage(picture, 150, 60, 340, 340)
    }
    const stream = paper.captureStream(10)
    let shown: ImageBitmap | undefined
    setInterval(() => draw(shown), 100)
    Object.assign(window, {
      hold: async (base64: string) => {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
        shown = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      },
      webcam: stream,
    })
    navigator.mediaDevices.getUserMedia = async () => stream
  })
  const desk = await open()
  const alice = desk.phone('Alice')
  await lookInVain(page, alice, 'Your webcam')
  await expect(alice.says).toHaveText('Show it a code…')
  await page.evaluate(
    (base64) => (window as unknown as { hold(picture: string): unknown }).hold(base64),
    png.toString('base64'),
  )
  await expect(alice.heading).toHaveText('Register with Shop?')
  expect((await bench.control.call('messages.get', { params: { id: msgId } })).state).toBe('bind')
  const live = () =>
    page.evaluate(() =>
      (window as unknown as { webcam: MediaStream }).webcam.getTracks().map((track) => track.readyState),
    )
  await expect.poll(live).toEqual(['ended'])
})
