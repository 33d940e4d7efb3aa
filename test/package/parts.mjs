// Run in the folder in which the package was installed. The camera, and ML-DSA under a seed, load files of the package when used.
import { startHandset } from 'handset'
import { createControlClient } from 'handset/client'
import { createRpClient } from 'handset/rp'

const handset = await startHandset({ seed: 1, accessKey: { id: 'shop', secret: 'a-secret-of-some-length' } })
const client = createControlClient(handset)
const rp = createRpClient({ baseUrl: handset.baseUrl, accessKeyId: 'shop', secretKey: 'a-secret-of-some-length', now: Date.now })
/** A code as pixels; what draws it is not in the package. */
const { encode } = await import(process.argv[2] ?? '')
const picture = (/** @type {string} */ url) => {
  const { data, size } = encode(url, { border: 4 })
  const width = size * 4
  const dark = (/** @type {number} */ i) => data[Math.floor(i / width / 4)][Math.floor((i % width) / 4)]
  const rgba = Buffer.concat(Array.from({ length: width * width }, (_, i) => Buffer.from(dark(i) ? [0, 0, 0, 255] : [255, 255, 255, 255])))
  return { rgba: { width, height: width, data: rgba.toString('base64') } }
}
/** @type {(model: string, scan: (url: string) => any) => Promise<string>} */
const register = async (model, scan) => {
  const phone = await client.call('phones.create', { body: { name: model, model } })
  const message = await rp.register({ user_id: model, username: model })
  if (!message.ok) throw new Error(message.error.error)
  await client.call('phones.scan', { params: { id: phone.id }, body: scan(message.value.url) })
  await client.call('phones.approve', { params: { id: phone.id }, body: {} })
  const result = await rp.registrationResult(message.value.msg_id)
  return result.ok ? result.value.status : result.error.error
}
console.log(await register('lattice-three', (url) => ({ url })), await register('cloud-pebble', picture))
rp.close()
await handset.close()
