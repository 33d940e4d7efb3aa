import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  concat,
  equalBytes,
  fromBase64url,
  fromHex,
  fromUtf8,
  toBase64url,
  toHex,
  utf8,
} from '../../src-main/protocol/bytes.ts'

const anyBytes = fc.uint8Array({ maxLength: 70 }).map((bytes) => new Uint8Array(bytes))

describe('base64url', () => {
  it('agrees with Node on any bytes and comes back the same', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const text = toBase64url(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64url'))
        expect(fromBase64url(text)).toEqual({ ok: true, value: bytes })
      }),
    )
  })

  it.each(['A', 'AAAAA', 'AA==', 'A+A', 'A/AA', 'AA A', 'AB', 'AAB', 'é'])(
    'refuses %j, which is no spelling of any bytes',
    (text) => {
      expect(fromBase64url(text).ok).toBe(false)
    },
  )

  it('gives every value one spelling only', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,12}$/), (text) => {
        const decoded = fromBase64url(text)
        if (decoded.ok) expect(toBase64url(decoded.value)).toBe(text)
      }),
    )
  })
})

describe('hex', () => {
  it('is lower case and comes back the same', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
        expect(fromHex(toHex(bytes))).toEqual({ ok: true, value: bytes })
      }),
    )
  })

  it.each(['0', '0g', ' 00'])('refuses %j', (text) => {
    expect(fromHex(text).ok).toBe(false)
  })
})

describe('UTF-8', () => {
  it('keeps a byte order mark and refuses what is malformed', () => {
    expect(fromUtf8(utf8('\uFEFFa'))).toBe('\uFEFFa')
    expect(fromUtf8(new Uint8Array([0xc0, 0x80]))).toBeUndefined()
    expect(fromUtf8(new Uint8Array([0xed, 0xa0, 0x80]))).toBeUndefined()
  })
})

describe('bytes', () => {
  it('are joined in order and compared by value', () => {
    const joined = concat(utf8('ab'), new Uint8Array(), utf8('c'))
    expect(equalBytes(joined, utf8('abc'))).toBe(true)
    expect(equalBytes(joined, utf8('abd'))).toBe(false)
    expect(equalBytes(joined, utf8('ab'))).toBe(false)
  })
})
