import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectHandset, type Handset, type StartOptions, startHandset } from '../../src-main/sdk/handset.ts'
import { createRp } from '../../src-main/sdk/rp-requests.ts'
import { benchForTests } from '../../src-main/sdk/test-bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { certificateFor } from '../support/tls.ts'

const start = async (tls: NonNullable<StartOptions['tls']>): Promise<Handset> => {
  const handset = await startHandset({ tls })
  onTestFinished(() => handset.close())
  return handset
}

const signIn = async (handset: Pick<Handset, 'rp' | 'phone'>): Promise<string> => {
  const rp = await handset.rp()
  const phone = await handset.phone({ passkeys: [{ user_id: 'u-1' }] })
  const message = await rp.signIn({ user_id: 'u-1', username: 'alice', method: 'qrcode' })
  await phone.scan(message.url)
  await phone.approve()
  const { status } = await message.result({ intervalMs: 20 })
  rp.close()
  return status
}

const expectOwnRpToTrust = async (handset: Handset): Promise<void> => {
  const { baseUrl, accessKeyId, secretKey } = await handset.rp()
  const key = { baseUrl, accessKeyId, secretKey }
  const trusting = createRp({ ...key, ca: handset.ca })
  const careless = createRp(key)
  expect(await trusting.credentials('nobody')).toEqual([])
  await expect(careless.credentials('nobody')).rejects.toMatchObject({ code: 0, httpStatus: 0 })
  for (const rp of [trusting, careless]) rp.close()
}

test('[cli.tls] the SDK starts a bench over https and trusts the CA that was made; another process is told of it', async () => {
  const handset = await start(true)
  const { controlUrl, token, ca = '' } = handset
  expect(new URL(controlUrl).protocol).toBe('https:')
  expect(await signIn(await handset.workspace())).toBe('success')
  const connected = await connectHandset({ controlUrl, token, ca })
  expect(await connected.lastSeq()).toBeTypeOf('number')
  await expect(connectHandset({ controlUrl, token })).rejects.toMatchObject({ code: 'unreachable' })
  const file = join(temporaryFolder(), 'ca.pem')
  writeFileSync(file, ca)
  const env = { HANDSET_CONTROL_URL: controlUrl, HANDSET_TOKEN: token, HANDSET_CA: file }
  expect(await (await benchForTests(env)).lastSeq()).toBeTypeOf('number')
  await expectOwnRpToTrust(handset)
})

test.each(['', 'no certificate'])('[cli.tls] a CA that is no certificate (%j) is refused by name', async (ca) => {
  const controlUrl = 'https://127.0.0.1:9/control/v1'
  await expect(connectHandset({ controlUrl, token: 'any', ca })).rejects.toMatchObject({ code: 'wrong_ca' })
  const make = () => createRp({ baseUrl: 'https://127.0.0.1:9/fido', accessKeyId: 'a', secretKey: 'b', ca })
  expect(make).toThrow(expect.objectContaining({ code: 'wrong_ca' }))
})

test('[cli.tls] the SDK starts a bench with a certificate and trusts that', async () => {
  const folder = temporaryFolder()
  const { server } = certificateFor(['localhost'])
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(tls.cert, server.certificate)
  writeFileSync(tls.key, server.key)
  expect(await signIn(await start(tls))).toBe('success')
})
