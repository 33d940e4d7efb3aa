import { createHash, createHmac, webcrypto } from 'node:crypto'
import { expect, test } from 'vitest'
import { inspect } from '../../../src-main/inspect/inspect.ts'
import { octetsIn, utf8 } from '../../../src-main/protocol/bytes.ts'
import { pageSigningCrypto } from '../../../src-renderer/inspect/sha256.ts'
import { createWebCrypto } from '../../../src-renderer/inspect/web-crypto.ts'
import { vectorAuthentication, vectorRegistration, vectors } from '../../support/ceremony/vectors.ts'

const ports = {
  crypto: createWebCrypto(webcrypto.subtle as SubtleCrypto),
  signing: pageSigningCrypto,
  now: Date.UTC(2030, 0, 1),
}

test('the page hashes as everybody does, whatever the length', () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7) & 0xff)
    const octets = octetsIn(bytes)
    expect(pageSigningCrypto.sha256Hex(octets)).toBe(createHash('sha256').update(bytes).digest('hex'))
    const mac = createHmac('sha256', bytes).update('text').digest('hex')
    expect(pageSigningCrypto.hmacSha256Hex(bytes, 'text')).toBe(mac)
  }
})

/** What no WebCrypto has. */
const BEYOND = /ed448/

test.each(vectors)('WebCrypto judges $name as Node does, or says that it cannot', async (vector) => {
  const signedIn = vectorAuthentication(vector)
  const stored = await signedIn.credential((signedIn.response as { id: string }).id)
  const { response } = signedIn.response as { response: { signature: string } }
  const given = { options: signedIn.options, origins: signedIn.origins, publicKey: stored?.publicKey ?? utf8('') }
  const look = (answer: unknown) => inspect(utf8(JSON.stringify(answer)), given, ports)
  const found = await look(signedIn.response)
  const last = response.signature.slice(-6) === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA'
  const forged = await look({
    ...(signedIn.response as object),
    response: { ...response, signature: response.signature.slice(0, -6) + last },
  })
  if (BEYOND.test(vector.name)) {
    expect([found.verdict, found.checks.find(({ name }) => name === '7.2.21')]).toEqual([
      undefined,
      expect.objectContaining({ outcome: 'skipped', word: 'algorithm_unavailable' }),
    ])
  } else if (!/top-?origin|cross-?origin/i.test(vector.name))
    expect([found.verdict, forged.verdict]).toEqual(['verified', 'refused'])
})

test('an attestation is judged on WebCrypto as well, and refused with another challenge', async () => {
  const [vector] = vectors.filter(({ name }) => name.includes('packed-self'))
  if (vector === undefined) throw new Error('there is no vector')
  const { response, options, origins } = vectorRegistration(vector)
  const look = (challenge: string) =>
    inspect(utf8(JSON.stringify(response)), { options: { ...options, challenge }, origins }, ports)
  expect((await look(options.challenge)).verdict).toBe('verified')
  expect((await look('AAAAAAAAAAAAAAAAAAAAAA')).verdict).toBe('refused')
})
