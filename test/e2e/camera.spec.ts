import { writeFileSync } from 'node:fs'
import { chromium, type Page } from '@playwright/test'
import { type Picture, qrPicture } from '../../src-main/testing/scenario/qr-picture.ts'
import { encodePng } from '../support/camera/encode-png.ts'
import config from './playwright.config.ts'
import { expect, test } from './support/bench.ts'
import { HOST } from './support/host.ts'
import type { PhoneView } from './support/pages/phone.ts'
import type { Setting } from './support/setting.ts'

/** A code on the page of a foreign RP: the bench shows none. */
const codeElsewhere = async ({
  control,
}: Setting): Promise<{ readonly picture: Picture; readonly png: Buffer; readonly msgId: string }> => {
  const { id } = await control.call('rps.create', { body: { name: 'Shop', rp_id: 'shop.example' } })
  await control.call('keys.create', { params: { rp: id } })
  const attempt = await control.call('simulator.register', {
    params: { rp: id },
    body: { user_id: 'bo', username: 'bo', poll: false },
  })
  const picture = qrPicture(attempt.url)
  return { picture, png: Buffer.from(encodePng(picture)), msgId: attempt.msg_id }
}

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

const WIDTH = 640
const HEIGHT = 480
const WHITE = 235
const BLACK = 16

/** A film of one frame in YUV4MPEG2, as a browser takes it in the place of a webcam: the picture on white paper. */
const filmOf = ({ width, height, rgba }: Picture): Buffer => {
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE)
  const left = (WIDTH - width) >> 1
  const top = (HEIGHT - height) >> 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((rgba[(y * width + x) * 4] ?? 0) < 128) luma[(y + top) * WIDTH + x + left] = BLACK
    }
  }
  const noColour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n`), luma, noColour])
}

/** What the page was given by the browser's own calls is kept, so that it can be seen whether it is given back. */
const keepStreams = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const given: MediaStream[] = []
    Object.assign(window, { given })
    for (const name of ['getDisplayMedia', 'getUserMedia'] as const) {
      const real = MediaDevices.prototype[name]
      MediaDevices.prototype[name] = async function (options) {
        const stream = await real.call(this, options)
        given.push(stream)
        return stream
      }
    }
  })

const tracks = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    (window as unknown as { readonly given: readonly MediaStream[] }).given.flatMap((stream) =>
      stream.getVideoTracks().map(({ readyState }) => readyState),
    ),
  )

/** Opens the camera on a screen on which there is no code yet: it looks, sees none, and goes on looking. */
const lookInVain = async (page: Page, phone: PhoneView): Promise<void> => {
  await phone.camera.click()
  const looked = page.waitForResponse(/\/scan$/)
  await phone.screen.getByRole('button', { name: 'Your screen' }).click()
  await expect(phone.says).toHaveText('Show it a code…')
  await expect(looked.then((response) => response.json())).resolves.toMatchObject({
    code: 40906,
    data: { word: 'no_code' },
  })
}

/** A browser of the test's own, since what it may see is said when it is started: it says yes, and has made-up pictures. */
const withFilm = test.extend<{ readonly film: string }>({
  film: ({ browserName: _ }, use, info) => use(info.outputPath('film.y4m')),
  page: async ({ film }, use) => {
    const common = config.use?.launchOptions
    const pictures = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']
    const args = [...(common?.args ?? []), ...pictures, `--use-file-for-fake-video-capture=${film}`]
    const browser = await chromium.launch({ ...common, args })
    await use(await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' }))
    await browser.close()
  },
})

withFilm('screen and webcam are looked at, and given back', async ({ open, bench, page, film }) => {
  test.skip(HOST === 'electron', 'the desktop program scans the screen from its menu')
  await bench.addPhone()
  const { picture, msgId } = await codeElsewhere(bench)
  writeFileSync(film, filmOf(picture))
  await keepStreams(page)
  const desk = await open()
  const alice = desk.phone('Alice')
  await lookInVain(page, alice)
  await expect.poll(() => tracks(page)).toEqual(['live'])
  await alice.done.click()
  await expect.poll(() => tracks(page)).toEqual(['ended'])
  await alice.camera.click()
  await alice.screen.getByRole('button', { name: 'Your webcam' }).click()
  await expect(alice.heading).toHaveText('Register with Shop?')
  await expect.poll(async () => bench.message()).toMatchObject({ id: msgId, state: 'bind' })
  await expect.poll(() => tracks(page)).toEqual(['ended', 'ended'])
})
