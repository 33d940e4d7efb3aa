import { expect, test } from 'vitest'
import { createRp } from '../../src-main/sdk/rp-requests.ts'
import { openWorkspaces } from '../support/open-workspaces.ts'

const { shared } = openWorkspaces()

const ALICE = { user_id: 'u-1', username: 'alice' }
const delivery = (msg_id: string) => shared.handset.waitFor({ kind: 'delivery', msg_id }, { after: 0 })

test('an RP polls until the result is final, through refusals that pass', async () => {
  const [rp, phone] = [await shared.handset.rp(), await shared.handset.phone()]
  const message = await rp.register(ALICE)
  await shared.handset.conditions.set({ rp: { fail_next: 2, lose_next: 0 } })
  const result = message.verified({ intervalMs: 1 })
  await shared.handset.waitFor({ kind: 'exchange', response: { code: 0 } }, { after: await shared.handset.lastSeq() })
  await phone.scan(message.url)
  await phone.approve()
  expect(await result).toMatchObject({ status: 'success' })
  expect(await delivery(message.msg_id)).toMatchObject({ msg_id: message.msg_id })
})

test('a status that there is not ends no polling', async () => {
  const [rp, phone] = [await shared.handset.rp(), await shared.handset.phone()]
  const message = await rp.register({ user_id: 'u-7', username: 'bob' })
  await shared.handset.service.arm('status-unknown', { scope: { user_id: 'u-7' } })
  const result = message.verified({ intervalMs: 1 })
  await shared.handset.waitFor({ kind: 'exchange', msg_id: message.msg_id, response: { code: 0 } }, { after: 0 })
  await phone.scan(message.url)
  await phone.approve()
  expect(await result).toMatchObject({ status: 'success' })
})

test('polling ends when its signal says so, and the result stays to be read', async () => {
  const [rp, phone] = [await shared.handset.rp(), await shared.handset.phone()]
  const message = await rp.register(ALICE)
  const stop = new AbortController()
  const cancelled = message.result({ signal: stop.signal, intervalMs: 600_000 })
  stop.abort(new Error('enough'))
  await expect(cancelled).rejects.toThrow('enough')
  await phone.scan(message.url)
  await phone.approve()
  await expect(message.result({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect(await message.result()).toMatchObject({ status: 'success' })
  await expect(message.result()).rejects.toMatchObject({ name: 'RpError', code: 41001 })
})

test('an RP lists and deletes the credentials of a user', async () => {
  const rp = await shared.handset.rp()
  await shared.handset.phone({ passkeys: [{ user_id: 'u-2' }] })
  const [credential] = await rp.credentials('u-2')
  expect(await rp.deleteCredentials('u-2', [credential?.credential_id ?? ''])).toBe(1)
  expect(await rp.credentials('u-2')).toEqual([])
})

test('a refusal says its code and what differs in the signature', async () => {
  const { accessKeyId, baseUrl } = await shared.handset.rp()
  const rp = createRp({ baseUrl, accessKeyId, secretKey: 'another' })
  await expect(rp.register(ALICE)).rejects.toMatchObject({
    code: 40104,
    httpStatus: 401,
    problem: { code: 'signed_alike' },
  })
})
