import { expect, it, onTestFinished } from 'vitest'
import { en } from '../../src-main/core/messages/en/en.ts'
import { choosePhone, type Picture, scanFirst } from '../../src-main/shell/scan.ts'
import { qrPicture } from '../../src-main/testing/scenario/qr-picture.ts'
import { ALICE, cast, startTestBench, type TestBench } from '../support/bench.ts'
import { encodePng } from '../support/camera/encode-png.ts'

const start = async (): Promise<TestBench> => {
  const bench = await startTestBench()
  onTestFinished(bench.close)
  return bench
}

const png = (image: Parameters<typeof encodePng>[0]): Picture => ({
  type: 'png',
  data: Buffer.from(encodePng(image)).toString('base64'),
})
const scanPictures = (pictures: readonly Picture[], { client }: TestBench) =>
  scanFirst(
    pictures.map((image) => ({ image })),
    { client },
  )
const pictureOf = (text: string): Picture => png(qrPicture(text))
const blank = png({ width: 64, height: 64, rgba: new Uint8Array(64 * 64 * 4).fill(255) })

const codeOf = async ({ client }: TestBench): Promise<string> => {
  const { rp } = await cast(client)
  return (await client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })).url
}

const screenOf = async ({ client }: TestBench) => (await client.call('phones.list')).phones[0]?.screen.kind

it('scanning the screen has a phone read the code from the pixels of whichever display it is on', async () => {
  const test = await start()
  const code = await codeOf(test)
  const found = await scanPictures([blank, pictureOf('https://example.org/'), pictureOf(code)], test)
  expect(found).toEqual({ ok: true, value: 'Alice’s phone' })
  expect(await screenOf(test)).toBe('request')
})

it('scanning the screen says what the phone said when there is no code anywhere', async () => {
  const test = await start()
  await cast(test.client)
  expect(await scanPictures([blank], test)).toEqual({ ok: false, error: en.phoneProblems.no_code })
  expect(await scanPictures([], test)).toEqual({ ok: false, error: 'There is no picture of the screen.' })
})

it('scanning the screen does not look further when something else stands in the way', async () => {
  const test = await start()
  const code = await codeOf(test)
  const [phone] = (await test.client.call('phones.list')).phones
  await test.client.call('phones.patch', { params: { id: phone?.id ?? '' }, body: { network: 'offline' } })
  expect(await scanPictures([blank, pictureOf(code)], test)).toEqual({ ok: false, error: en.phoneProblems.offline })
})

it('scanning the screen needs a phone', async () => {
  const test = await start()
  expect(await scanPictures([blank], test)).toEqual({
    ok: false,
    error: 'There is no phone on the bench to scan with.',
  })
})

it('following a link refuses a phone or a workspace that is not there', async () => {
  const test = await start()
  const url = await codeOf(test)
  expect(await scanFirst([{ url }], { client: test.client, phone: 'nobody' })).toMatchObject({ ok: false })
  expect(await scanFirst([{ url }], { client: test.client.workspace('nowhere') })).toMatchObject({ ok: false })
  expect(await screenOf(test)).not.toBe('request')
})

it('following a link takes the first phone that can scan now', async () => {
  const test = await start()
  const { phone: first } = await cast(test.client)
  const { phone: second } = await cast(test.client, { name: 'Second', account: { name: 'Bob', phone: '13912345678' } })
  const phones = async () => (await test.client.call('phones.list')).phones
  expect(choosePhone(await phones())).toBe(first)
  await test.client.call('phones.patch', { params: { id: first }, body: { network: 'offline' } })
  expect(choosePhone(await phones())).toBe(second)
  await test.client.call('phones.sign-out', { params: { id: second }, body: {} })
  expect(choosePhone(await phones())).toBe(first)
  expect(choosePhone([])).toBeUndefined()
  expect(choosePhone([], 'ph_named')).toBe('ph_named')
})
