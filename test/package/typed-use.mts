import { connectHandset, type Handset, HandsetError, startHandset } from 'handset'
import { createControlClient } from 'handset/client'
import { createRpClient } from 'handset/rp'

/** What a user of the package writes; it is compiled, and never run. */
export const use = async (): Promise<string> => {
  const own: Handset = await startHandset({
    seed: 1,
    accessKey: { id: 'a', secret: 'b' },
    onLog: (line) => line.length,
  })
  const { client } = await connectHandset({ controlUrl: own.controlUrl, token: own.token })
  const { phones } = await client.call('phones.list')
  const status: 'init' | 'bind' | 'success' | 'fail' | 'timeout' = (
    await createControlClient(own).call('simulator.poll', { params: { rp: '', msg_id: '' }, body: {} })
  ).status
  const rp = createRpClient({ baseUrl: own.baseUrl, accessKeyId: 'a', secretKey: 'b', now: () => 1 })
  const message = await rp.register({ user_id: 'u', username: 'u' })
  const problem: number = new HandsetError({ code: 1, error: '' }).code
  return `${phones[0]?.name} ${status} ${problem} ${message.ok ? message.value.url : message.error.code}`
}
