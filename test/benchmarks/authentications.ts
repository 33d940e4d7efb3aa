import { createControlClient } from '../../src-main/sdk/client.ts'
import { createRpClient } from '../../src-main/sdk/rp.ts'
import { taken } from '../support/taken.ts'
import { startHandset } from './child.ts'

/** Authentications a second, each from the RP's question to its reading the answer, with a phone that scans, asks and signs. */
export const authenticationsPerSecond = async (options: {
  readonly concurrency: number
  readonly seconds: number
  readonly root?: string
}): Promise<number> => {
  const handset = await startHandset([], options.root)
  const { base_url, control_url, token, access_key_id, secret_key } = handset.ready
  const rp = createRpClient({ baseUrl: base_url, accessKeyId: access_key_id, secretKey: secret_key, now: Date.now })
  const control = createControlClient({ controlUrl: control_url, token })
  try {
    const people = await Promise.all(
      Array.from({ length: options.concurrency }, async (_, i) => {
        const phone = await control.call('phones.create', {
          body: {
            name: `Phone ${i}`,
            model: 'granite-one',
            account: { name: `Person ${i}`, phone: `1380000${1000 + i}` },
          },
        })
        const person = { user_id: `u-${i}`, username: `person-${i}` }
        const message = taken(await rp.register(person))
        await answer(phone.id, message.url)
        expectSuccess(taken(await rp.registrationResult(message.msg_id)).status)
        return { ...person, phone: phone.id }
      }),
    )
    let count = 0
    const began = performance.now()
    const end = began + options.seconds * 1000
    await Promise.all(
      people.map(async ({ user_id, username, phone }) => {
        while (performance.now() < end) {
          const message = taken(await rp.authenticate({ user_id, username, method: 'qrcode' }))
          await answer(phone, message.url)
          expectSuccess(taken(await rp.authenticationResult(message.msg_id)).status)
          count++
        }
      }),
    )
    return count / ((performance.now() - began) / 1000)
  } finally {
    rp.close()
    await handset.stop()
  }

  async function answer(id: string, url: string): Promise<void> {
    await control.call('phones.scan', { params: { id }, body: { url } })
    await control.call('phones.approve', { params: { id }, body: {} })
  }
}

const expectSuccess = (status: string): void => {
  if (status !== 'success') throw new Error(`expected success, got ${status}`)
}
