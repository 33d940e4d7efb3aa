// Run in the folder in which the package was installed. The camera, and ML-DSA under a seed, load files of the package when used.
import { startHandset } from 'handset'
import { createControlClient } from 'handset/client'
import { createRp } from 'handset/rp'

/** A code as pixels; what draws it is not in the package. */
const { encode } = await import(process.argv[2] ?? '')
const picture = (/** @type {string} */ url) => {
  const { data, size } = encode(url, { border: 4 })
  const width = size * 4
  const dark = (/** @type {number} */ i) => data[Math.floor(i / width / 4)][Math.floor((i % width) / 4)]
  const pixels = Array.from({ length: width * width }, (_, i) => (dark(i) ? [0, 0, 0, 255] : [255, 255, 255, 255]))
  return { width, height: width, data: Uint8Array.from(pixels.flat()) }
}

const handset = await startHandset({ seed: 1, accessKey: { id: 'shop', secret: 'a-secret-of-some-length' } })
const rp = createRp({ baseUrl: handset.baseUrl, accessKeyId: 'shop', secretKey: 'a-secret-of-some-length' })
/** @type {(model: string, scanned: (url: string) => import('handset').Scannable) => Promise<string>} */
const register = async (model, scanned) => {
  const phone = await handset.phone({ model })
  const message = await rp.register({ user_id: model, username: model })
  await phone.scan(scanned(message.url))
  await phone.approve().catch(() => undefined)
  return (await message.result()).status
}
console.log(await register('lattice-three', (url) => url), await register('cloud-pebble', picture))
const { phones } = await createControlClient(handset).call('phones.list')
console.log(phones.length)
await handset.close()
