import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cast, register, startTestBench, type TestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
let running: TestBench
beforeEach(async () => {
  folder = temporaryFolder()
  running = await startTestBench({ data: folder })
})
afterEach(() => running.close())

const trusted = async (): Promise<readonly string[]> =>
  (await running.client.call('roots.list')).roots.map(({ name }) => name).toSorted()

const EARLY = ['android-key', 'android-safetynet', 'apple', 'packed', 'tpm'].map((format) => `Handset ${format}`)
const ALL = [...EARLY, 'Handset fido-u2f'].toSorted()

describe('the makers of a workspace’s phones', () => {
  test('are not made for phones that do not attest', async () => {
    expect(await register(running.client, await cast(running.client))).toMatchObject({ status: 'success' })
    const document = JSON.stringify(await running.client.call('workspace.export'))
    expect(document).not.toContain('Handset packed')
  })

  test('are trusted when they are first needed, before the phone attests', async () => {
    await running.client.call('profile.patch', { body: { attestation: 'require-trusted' } })
    const who = await cast(running.client, { model: 'granite-one' })
    expect(await register(running.client, who)).toMatchObject({ status: 'success' })
    expect(await trusted()).toEqual(EARLY)
  })

  test('have no RSA key until a U2F phone attests, and are trusted then, after a restart too', async () => {
    expect(await trusted()).toEqual(EARLY)
    await running.client.call('profile.patch', { body: { attestation: 'require-trusted' } })
    const who = await cast(running.client, { model: 'token-u2f' })
    expect(await trusted()).toEqual(EARLY)
    expect(await register(running.client, who)).toMatchObject({ status: 'success' })
    expect(await trusted()).toEqual(ALL)
    const before = await running.client.call('roots.export')
    await running.close()
    running = await startTestBench({ data: folder })
    expect(await running.client.call('roots.export')).toEqual(before)
    expect(await trusted()).toEqual(ALL)
  })

  test('are made once when two U2F phones attest at the same time', async () => {
    await running.client.call('profile.patch', { body: { attestation: 'require-trusted' } })
    const first = await cast(running.client, { model: 'token-u2f' })
    const second = await cast(running.client, { model: 'token-u2f', account: { name: 'Bo', phone: '13900001111' } })
    const done = await Promise.all([register(running.client, first), register(running.client, second)])
    expect(done).toMatchObject([{ status: 'success' }, { status: 'success' }])
    expect(await trusted()).toEqual(ALL)
  })

  test('are all in the file of roots, which makes those that were not needed yet', async () => {
    const { pem } = await running.client.call('roots.export')
    expect(pem.match(/BEGIN CERTIFICATE/g)).toHaveLength(ALL.length)
    expect(await trusted()).toEqual(ALL)
  })
})
