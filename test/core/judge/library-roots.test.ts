import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTpmManufacturer } from '../../../src-main/core/judge/attestation/tpm.ts'
import { decodeCertificate } from '../../../src-main/core/judge/certificate.ts'
import { verifyCertificate } from '../../../src-main/core/judge/certificate-signature.ts'
import { nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'

/** What @simplewebauthn/server (MIT) brings along in the installed version; nothing of it is kept here. */
const library = dirname(dirname(createRequire(import.meta.url).resolve('@simplewebauthn/server')))
const read = (path: string): string => readFileSync(join(library, 'esm', path), 'utf8')

const rootsIn = (name: string) =>
  [...read(`services/defaultRootCerts/${name}.js`).matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END/g)].map(
    ([, base64 = '']) => Uint8Array.from(Buffer.from(base64, 'base64')),
  )

describe('[judge.roots] the roots that SimpleWebAuthn brings along', () => {
  it.each([
    ['android-key', 4],
    ['android-safetynet', 1],
    ['apple', 1],
    ['mds', 2],
  ])('%s: each of %i is read, and signed by itself', async (name, count) => {
    const roots = rootsIn(name)
    expect(roots).toHaveLength(count)
    for (const bytes of roots) {
      const root = decodeCertificate(bytes)
      if (!root.ok) throw new Error(JSON.stringify(root.error))
      if (root.value.key === undefined) throw new Error('no key')
      expect(await verifyCertificate(root.value, root.value.key, nodeCrypto)).toEqual({ outcome: 'valid' })
    }
  })

  it('and the makers of TPMs that it knows are those of the judge', () => {
    const known = read('registration/verifications/tpm/constants.js').matchAll(/'(id:[0-9A-Fa-f]{8})':/g)
    const ids = [...known].map(([, id = '']) => id)
    expect(ids.length).toBeGreaterThan(20)
    expect(ids.filter((id) => !isTpmManufacturer(id))).toEqual([])
  })
})
