import { beforeAll, expect, test } from 'vitest'
import { readCodes } from '../../../src-main/phones/phone/camera.ts'
import { qrPicture } from '../../../src-main/testing/scenario/qr-picture.ts'
import { ALICE, cast } from '../../support/bench.ts'
import { encodePng } from '../../support/camera/encode-png.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'

const bench = benchOfFile()
let who: { readonly rp: string; readonly phone: string }
beforeAll(async () => {
  who = await cast(bench.client)
})

const ask = () => bench.client.call('simulator.register', { params: { rp: who.rp }, body: { ...ALICE, poll: false } })
type Picture = ReturnType<typeof qrPicture>
const pngBody = (picture: Picture) => ({
  image: { data: Buffer.from(encodePng(picture)).toString('base64'), type: 'png' as const },
})
test('a camera that is still looking disturbs nothing until a code is in sight', async () => {
  const { msg_id, url } = await ask()
  const look = (picture: Picture) =>
    bench.client.call('phones.scan', { params: { id: who.phone }, body: { ...pngBody(picture), glance: true } })
  const white = { width: 64, height: 64, rgba: new Uint8Array(64 * 64 * 4).fill(255) }
  const before = await bench.client.call('overview')
  await expect(look(white)).rejects.toMatchObject({ code: 40906, data: { word: 'no_code' } })
  expect((await bench.client.call('overview')).last_seq).toBe(before.last_seq)
  await expect(look(qrPicture('https://shop.example/'))).rejects.toMatchObject({ data: { word: 'not_ours' } })
  expect((await look(qrPicture(url))).screen).toMatchObject({ kind: 'request', prompt: { msg_id } })
})

test.each([1, 60, 200, 700])('a code of one pixel a module with %i characters is read', async (length) => {
  const text = 'x'.repeat(length)
  const picture = qrPicture(text, { scale: 1, mask: 0, redundancy: 'least' })
  expect(await readCodes(picture)).toEqual({ ok: true, value: [text] })
})

test('the picture is a square with its quiet zone', () => {
  const { width, height, rgba } = qrPicture('x', { scale: 2, quiet: 4 })
  expect(width).toBe((21 + 8) * 2)
  expect(height).toBe(width)
  expect(rgba.length).toBe(width * height * 4)
  const grey = (x: number, y: number) => rgba[(y * width + x) * 4]
  expect([grey(0, 0), grey(7, 7), grey(8, 8), grey(width - 1, height - 1)]).toEqual([255, 255, 0, 255])
})
