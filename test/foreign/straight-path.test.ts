import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAsPhone, type ForeignPhone, firstPush, messageId, scanAndApprove, signIn } from './phone.ts'
import { callAsRp, type ForeignRp } from './rp.ts'

/** `handset serve` as a user starts it, spoken to by a relying party and a phone that share no code with it. */
const root = join(import.meta.dirname, '../..')

type Ready = {
  base_url: string
  app_url: string
  access_key_id: string
  secret_key: string
  rp_id: string
  origins: string[]
}

let server: ChildProcess
let ready: Ready
let rp: ForeignRp
let phone: ForeignPhone

beforeAll(async () => {
  server = spawn(
    process.execPath,
    [join(root, 'src-main/bin.mjs'), 'serve', '--memory', '--port', '0', '--json', '--until-input-ends'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  ready = await new Promise<Ready>((resolve, reject) => {
    let out = ''
    server.stdout?.on('data', (chunk) => {
      out += chunk
      if (out.includes('\n')) resolve(JSON.parse(out.slice(0, out.indexOf('\n'))))
    })
    server.on('close', (code) => reject(new Error(`handset serve ended with ${code}`)))
  })
  rp = { baseUrl: ready.base_url, accessKeyId: ready.access_key_id, secretKey: ready.secret_key }
  phone = await signIn(ready.app_url, { name: 'Li Wei', phone: '13812345678' })
})

afterAll(async () => {
  if (server.exitCode !== null) return
  const ended = new Promise((resolve) => server.on('close', resolve))
  server.stdin?.end()
  expect(await ended).toBe(0)
})

const alice = { user_id: 'alice-1', username: 'alice' }

// One story: each test goes on where the one before it ended.
describe('a relying party and a phone written from the documents alone', { shuffle: false }, () => {
  it('register by QR code', async () => {
    const begun = await callAsRp(rp, 'POST', '/rp/attestation/options', { ...alice, credential_name: 'Work phone' })
    expect(begun).toMatchObject({ status: 200, code: 0, error: '' })
    expect(String(begun.data.url)).toMatch(/^http:\/\/localhost:\d+\/fido\/m#r[A-Za-z0-9_-]{22}$/)
    const result = `/rp/attestation/result?msg_id=${messageId(begun.data.url)}`
    expect((await callAsRp(rp, 'GET', result)).data).toEqual({ svc_user: '', status: 'init', error: '' })

    const bound = await callAsPhone(phone, 'POST', `/messages/${messageId(begun.data.url)}/bind`, {})
    expect(bound.data).toMatchObject({
      kind: 'registration',
      rp: { id: ready.rp_id },
      user: { username: 'alice', display_name: 'alice' },
      credential_name: 'Work phone',
    })
    expect((await callAsRp(rp, 'GET', result)).data).toEqual({
      svc_user: 'Li Wei (138****5678)',
      status: 'bind',
      error: '',
    })

    expect((await scanAndApprove(phone, begun.data.url)).data).toEqual({ status: 'success', error: '' })
    expect((await callAsRp(rp, 'GET', result)).data).toEqual({
      svc_user: 'Li Wei (138****5678)',
      status: 'success',
      error: '',
    })
    expect(await callAsRp(rp, 'GET', result)).toMatchObject({ status: 410, code: 41001 })
  })

  it('list the credential under its name', async () => {
    const listed = await callAsRp(rp, 'GET', '/rp/credentials?user_id=alice-1')
    expect(listed.data).toMatchObject({ total: 1, list: [{ credential_name: 'Work phone', user_id: 'alice-1' }] })
  })

  it('sign in by QR code', async () => {
    const begun = await callAsRp(rp, 'POST', '/rp/assertion/options', { ...alice, method: 'qrcode' })
    expect(begun.code).toBe(0)
    expect((await scanAndApprove(phone, begun.data.url)).data).toEqual({ status: 'success', error: '' })
    const read = await callAsRp(rp, 'GET', `/rp/assertion/result?msg_id=${messageId(begun.data.url)}`)
    expect(read.data).toEqual({ svc_user: 'Li Wei (138****5678)', status: 'success', error: '', user_id: 'alice-1' })
  })

  it('sign in by push', async () => {
    const inbox = firstPush(phone)
    await inbox.opened
    const begun = await callAsRp(rp, 'POST', '/rp/assertion/options', { ...alice, method: 'push' })
    const push = await inbox.push
    inbox.close()
    expect(push).toMatchObject({ msg_id: messageId(begun.data.url), url: begun.data.url })
    expect((await scanAndApprove(phone, push.url)).data).toEqual({ status: 'success', error: '' })
    const read = await callAsRp(rp, 'GET', `/rp/assertion/result?id=${messageId(begun.data.url)}`)
    expect(read.data).toMatchObject({ status: 'success', user_id: 'alice-1' })
  })

  it('see a rejection as a failure with its reason', async () => {
    const begun = await callAsRp(rp, 'POST', '/rp/assertion/options', { ...alice, method: 'qrcode' })
    const msgId = messageId(begun.data.url)
    await callAsPhone(phone, 'POST', `/messages/${msgId}/bind`, {})
    expect((await callAsPhone(phone, 'POST', `/messages/${msgId}/reject`, {})).data).toEqual({ status: 'fail' })
    const read = await callAsRp(rp, 'GET', `/rp/assertion/result?msg_id=${msgId}`)
    expect(read.data).toMatchObject({ status: 'fail', error: expect.stringMatching(/^user_rejected: /) })
  })

  it('are refused with a wrong secret, and shown what the service computed', async () => {
    const refused = await callAsRp({ ...rp, secretKey: 'not the secret' }, 'GET', '/rp/credentials?user_id=alice-1')
    expect(refused).toMatchObject({ status: 401, code: 40104 })
    expect(String(refused.data.canonical_request)).toContain('host;x-svc-date')
    expect(JSON.stringify(refused)).not.toContain(ready.secret_key)
  })

  it('delete the credential, after which a sign-in is refused', async () => {
    const listed = await callAsRp(rp, 'GET', '/rp/credentials?user_id=alice-1')
    const ids = (listed.data.list as { credential_id: string }[]).map((entry) => entry.credential_id)
    expect((await callAsRp(rp, 'DELETE', '/rp/credentials', { user_id: 'alice-1', credential_ids: ids })).data).toEqual(
      { total: 1 },
    )
    expect(await callAsRp(rp, 'POST', '/rp/assertion/options', { ...alice, method: 'qrcode' })).toMatchObject({
      status: 404,
      code: 40403,
    })
  })
})
