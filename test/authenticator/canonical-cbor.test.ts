import { isoCBOR } from '@simplewebauthn/server/helpers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CborValue, encodeCanonicalCbor } from '../../src-main/authenticator/canonical-cbor.ts'
import { toHex } from '../../src-main/protocol/bytes.ts'

const encode = (value: CborValue): string => toHex(encodeCanonicalCbor(value))
const forced = (value: unknown) => () => encodeCanonicalCbor(value as CborValue)

describe('canonical CBOR', () => {
  // RFC 8949 Appendix A, as far as the values occur here.
  it.each([
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [255, '18ff'],
    [256, '190100'],
    [65535, '19ffff'],
    [65536, '1a00010000'],
    [4294967295, '1affffffff'],
    [-1, '20'],
    [-24, '37'],
    [-25, '3818'],
    [-256, '38ff'],
    [-257, '390100'],
    [-65535, '39fffe'],
    [-65537, '3a00010000'],
    [-2147483648, '3a7fffffff'],
    [true, 'f5'],
    [false, 'f4'],
    ['', '60'],
    ['ü', '62c3bc'],
    ['\u{10151}', '64f0908591'],
    [[1, [2, 3]], '8201820203'],
    [new Map(), 'a0'],
    [Uint8Array.of(1, 2, 3, 4), '4401020304'],
  ] satisfies [CborValue, string][])('writes %o as %s', (value, hex) => {
    expect(encode(value)).toBe(hex)
  })

  it('writes a Buffer, a view into one and octets the same way, without a tag', () => {
    const buffer = Buffer.from([9, 1, 2, 9])
    for (const octets of [
      Buffer.from([1, 2]),
      buffer.subarray(1, 3),
      new Uint8Array(buffer.buffer, buffer.byteOffset + 1, 2),
    ]) {
      expect(encode(octets)).toBe('420102')
    }
  })

  it('orders keys as CTAP2 does: unsigned, negative, text; short before long; then by octets', () => {
    const keys = ['aa', 'b', -1, 10, 'a', 100, -100, 3, 'ab', 256]
    const map = new Map<number | string, CborValue>(keys.map((key) => [key, 0]))
    expect(encode(map)).toBe('aa03000a00186400190100002000386300616100616200626161006261620' + '0')
  })

  it('orders maps inside of maps and lists too', () => {
    const inner = new Map<number | string, CborValue>([
      ['b', 1],
      ['a', 2],
    ])
    expect(encode([new Map([['x', inner]])])).toBe('81a16178a2616102616201')
  })

  it('gives the same bytes whatever order the keys were put in', () => {
    const keys = fc.uniqueArray(
      fc.oneof(fc.integer({ min: -70000, max: 70000 }), fc.string({ unit: 'grapheme', maxLength: 30 })),
    )
    fc.assert(
      fc.property(keys, fc.integer({ min: 0, max: 1000 }), (list, turn) => {
        const entries = list.map((key, i): [number | string, CborValue] => [key, i])
        const at = list.length === 0 ? 0 : turn % list.length
        const turned = [...entries.slice(at), ...entries.slice(0, at)].reverse()
        expect(encode(new Map(turned))).toBe(encode(new Map(entries)))
      }),
    )
  })

  it('writes texts of every length with the shortest head, and another decoder reads them back', () => {
    const units = fc.constantFrom('a', 'ü', '漢', '\u{1f600}')
    fc.assert(
      fc.property(fc.array(units, { maxLength: 400 }), (parts) => {
        const text = parts.join('')
        const bytes = encodeCanonicalCbor(text)
        const length = Buffer.byteLength(text)
        expect(bytes.length).toBe(length + (length < 24 ? 1 : length < 256 ? 2 : 3))
        expect(isoCBOR.decodeFirst(bytes)).toBe(text)
      }),
    )
  })

  it.each([
    ['a plain object', { a: 1 }],
    ['a fraction', 1.5],
    ['minus zero', -0],
    ['not a number', Number.NaN],
    ['an integer from 2^32', 2 ** 32],
    ['an integer below -2^31', -(2 ** 31) - 1],
    ['a bigint', 1n],
    ['null', null],
    ['undefined', undefined],
    ['a date', new Date(0)],
    ['a lone surrogate', '\ud800'],
    ['another typed array', new Uint16Array(2)],
    ['a map with a boolean key', new Map([[true, 1]])],
    ['a plain object inside a map', new Map([['a', {}]])],
  ])('refuses %s, which cbor-x would write in another form', (_, value) => {
    expect(forced(value)).toThrow(/CBOR/)
  })

  it('gives bytes of its own, which a later call does not overwrite', () => {
    const first = encodeCanonicalCbor('first')
    const before = toHex(first)
    encodeCanonicalCbor('other')
    expect(toHex(first)).toBe(before)
    expect(first.buffer.byteLength).toBe(first.length)
  })
})
