import { expect, it } from 'vitest'
import { benchOfFile } from '../support/open-workspaces.ts'

const bench = benchOfFile()

const LOOKALIKE = 'https://meridian-login.example'

const stage = async () => {
  const { client } = bench
  const rp = await client.call('rps.create', { body: { name: 'Meridian Bank', rp_id: 'meridian.example' } })
  await client.call('keys.create', { params: { rp: rp.id }, body: {} })
  const phone = await client.call('phones.create', { body: { name: 'Alice', storage: 'chip' } })
  const user = { user_id: 'alice', username: 'Alice', poll: false }
  const params = { id: phone.id }
  const scan = (url: string, seen_on?: string) =>
    client.call('phones.scan', { params, body: { url, ...(seen_on === undefined ? {} : { seen_on }) } })
  const approve = () => client.call('phones.approve', { params, body: {} })
  const register = () => client.call('simulator.register', { params: { rp: rp.id }, body: user })
  const signIn = () => client.call('simulator.sign-in', { params: { rp: rp.id }, body: { ...user, method: 'qrcode' } })
  const message = (id: string) => client.call('messages.get', { params: { id } })
  return { scan, approve, register, signIn, message }
}

it('a relayed code shows both sites, is signed for the page that showed it, and fails by its origin alone', async () => {
  const { scan, approve, register, signIn, message } = await stage()
  await scan((await register()).url)
  await approve()
  const { url, msg_id } = await signIn()
  const { screen } = await scan(url, LOOKALIKE)
  expect(screen).toMatchObject({ prompt: { origin: LOOKALIKE, rp: { origins: ['https://meridian.example'] } } })
  expect(await approve()).toMatchObject({ screen: { kind: 'refused', word: 'origin_mismatch' } })
  const { state, error, verdict } = await message(msg_id)
  expect({ state, error: error.split(':')[0] }).toEqual({ state: 'fail', error: 'origin_mismatch' })
  const failed = verdict?.steps.filter(({ outcome }) => outcome === 'failed')
  expect(failed?.map(({ word }) => word)).toEqual(['origin_mismatch'])

  const honest = await signIn()
  await scan(honest.url, 'https://meridian.example')
  await approve()
  expect(await message(honest.msg_id)).toMatchObject({ state: 'success' })
})

it('a relayed registration makes no passkey at the service', async () => {
  const { scan, approve, register, message } = await stage()
  const { url, msg_id } = await register()
  await scan(url, LOOKALIKE)
  await approve()
  expect(await message(msg_id)).toMatchObject({ state: 'fail' })
})

it('a page that is no origin is refused before anything is scanned', async () => {
  const { scan, register, message } = await stage()
  const { url, msg_id } = await register()
  await expect(scan(url, 'meridian-login.example/sign-in')).rejects.toMatchObject({ code: 40002 })
  expect(await message(msg_id)).toMatchObject({ state: 'init' })
})
