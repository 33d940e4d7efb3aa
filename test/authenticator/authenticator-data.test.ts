import { describe, expect, it } from 'vitest'
import { encodeAuthenticatorData, FLAGS } from '../../src-main/authenticator/authenticator-data.ts'
import { toHex } from '../../src-main/protocol/bytes.ts'

const rpIdHash = new Uint8Array(32).fill(0xaa)
const head = 'aa'.repeat(32)

describe('authenticator data', () => {
  it('is 37 octets without attested credential and extensions', () => {
    const bytes = encodeAuthenticatorData({ rpIdHash, flags: FLAGS.UP | FLAGS.UV, signCount: 0xfffefdfc })
    expect(toHex(bytes)).toBe(`${head}05fffefdfc`)
  })

  it('has the attested credential before the extensions', () => {
    const bytes = encodeAuthenticatorData({
      rpIdHash,
      flags: FLAGS.AT | FLAGS.ED,
      signCount: 1,
      attested: {
        aaguid: new Uint8Array(16).fill(0xbb),
        credentialId: Uint8Array.of(1, 2, 3),
        credentialIdLength: 3,
        publicKey: new Map([[1, 2]]),
      },
      extensions: new Map([['credProtect', 2]]),
    })
    expect(toHex(bytes)).toBe(`${head}c000000001${'bb'.repeat(16)}0003010203a10102a16b6372656450726f7465637402`)
  })

  it('writes an ID length of 1,023 in two octets', () => {
    const bytes = encodeAuthenticatorData({
      rpIdHash,
      flags: FLAGS.AT,
      signCount: 0,
      attested: {
        aaguid: new Uint8Array(16),
        credentialId: new Uint8Array(1023),
        credentialIdLength: 1023,
        publicKey: new Uint8Array(0),
      },
    })
    expect(toHex(bytes.subarray(53, 55))).toBe('03ff')
    expect(bytes.length).toBe(37 + 16 + 2 + 1023)
  })
})
