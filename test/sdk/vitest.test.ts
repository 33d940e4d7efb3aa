import { describe, expect } from 'vitest'
import { RpError } from '../../src-main/sdk/rp.ts'
import { test } from '../../src-main/sdk/vitest.ts'

/** The fixtures of handset/vitest, one after the other on the bench that they start. */
const ALICE = { user_id: 'u-1', username: 'alice' }

describe('the fixtures for Vitest', () => {
  test('give a phone that bears the name of its test', async ({ phone, workspace }) => {
    expect(phone.name).toBe('give a phone that bears the name of its test')
    const rp = await workspace.rp()
    const registration = await rp.register(ALICE)
    await phone.scan(registration.url)
    await phone.approve({ storage: 'chip' })
    await registration.verified()
    await phone.scan((await rp.signIn({ ...ALICE, method: 'qrcode' })).url)
    await rp.signIn({ ...ALICE, method: 'push' })
    await workspace.phone({ passkeys: [{ user_id: 'u-2' }] })
  })

  test('have the service lie to the RP as long as the test lasts', async ({ service, workspace }) => {
    const rp = await workspace.rp()
    await service.arm('list-as-object', { times: 5, scope: { user_id: 'u-1' } })
    await expect(rp.credentials('u-1')).rejects.toBeInstanceOf(RpError)
    expect(await rp.credentials('u-2')).toBeInstanceOf(Array)
    expect(await service.armed()).toMatchObject([{ fault: 'list-as-object', left: 4 }])
  })

  test('remove the phones of a test, what they registered, and what they were asked', async ({ handset, service }) => {
    const { client } = handset
    expect(await service.armed()).toEqual([])
    expect(await client.call('phones.list')).toEqual({ phones: [] })
    expect(await client.call('credentials.list')).toEqual({ credentials: [] })
    const { messages } = await client.call('messages.list')
    expect(messages.map(({ state }) => state)).toEqual(['success', 'timeout', 'timeout', 'success'])
  })

  describe('with a workspace for each test', () => {
    test.override({ handsetIsolation: 'own', phoneOptions: { passkeys: [ALICE] } })

    test('keep it apart from the shared one', async ({ phone, workspace, handset }) => {
      expect(workspace.id).not.toBe(handset.id)
      expect((await phone.state()).credentials_total).toBe(1)
      expect(await handset.client.call('credentials.list')).toEqual({ credentials: [] })
    })

    test('remove it with the test before', async ({ handset, workspace }) => {
      const { workspaces } = await handset.client.call('workspaces.list')
      expect(workspaces.map(({ id }) => id).toSorted()).toEqual(['main', workspace.id].toSorted())
    })
  })
})
