import { createECDH, createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURVES, scalarFrom, signEcdsaDeterministic } from '../../src-main/authenticator/ecdsa.ts'
import { fromHex, toBase64url, utf8 } from '../../src-main/protocol/bytes.ts'
import { must } from './support/requests.ts'
import { scriptedRandom, seededRandom } from './support/seeded-random.ts'

const hex = (text: string) => must(fromHex(text))

// RFC 6979 A.2.5–A.2.7: the key, then r and s for the messages "sample" and "test".
const KEYS = {
  'P-256': 'C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721',
  'P-384': '6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5',
  'P-521':
    '00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CAA896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B83538',
} as const

const VECTORS = [
  [
    'P-256',
    'sha256',
    'sample',
    'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716',
    'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8',
  ],
  [
    'P-256',
    'sha256',
    'test',
    'F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367',
    '019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083',
  ],
  [
    'P-256',
    'sha1',
    'sample',
    '61340C88C3AAEBEB4F6D667F672CA9759A6CCAA9FA8811313039EE4A35471D32',
    '6D7F147DAC089441BB2E2FE8F7A3FA264B9C475098FDCF6E00D7C996E1B8B7EB',
  ],
  [
    'P-256',
    'sha512',
    'sample',
    '8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00',
    '2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE',
  ],
  [
    'P-384',
    'sha384',
    'sample',
    '94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46',
    '99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8',
  ],
  [
    'P-384',
    'sha384',
    'test',
    '8203B63D3C853E8D77227FB377BCF7B7B772E97892A80F36AB775D509D7A5FEB0542A7F0812998DA8F1DD3CA3CF023DB',
    'DDD0760448D42D8A43AF45AF836FCE4DE8BE06B485E9B61B827C2F13173923E06A739F040649A667BF3B828246BAA5A5',
  ],
  [
    'P-521',
    'sha512',
    'sample',
    '00C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F174E25A1EE9017B5D450606ADD152B534931D7D4E8455CC91F9B15BF05EC36E377FA',
    '00617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF282623EAA63E5B5C0723D8B8C37FF0777B1A20F8CCB1DCCC43997F1EE0E44DA4A67A',
  ],
  [
    'P-521',
    'sha512',
    'test',
    '013E99020ABF5CEE7525D16B69B229652AB6BDF2AFFCAEF38773B4B7D08725F10CDB93482FDCC54EDCEE91ECA4166B2A7C6265EF0CE2BD7051B7CEF945BABD47EE6D',
    '01FBD0013C674AA79CB39849527916CE301C66EA7CE8B80682786AD60F98F7E78A19CA69EFF5C57400E3B3A0AD66CE0978214D13BAF4E9AC60752F7B155E2DE4DCE3',
  ],
] as const

/** r and s of an ECDSA-Sig-Value as hex without leading zeros. */
const parts = (der: Uint8Array): readonly [string, string] => {
  const body = der.subarray((der[1] ?? 0) < 0x80 ? 2 : 3)
  const lengthR = body[1] ?? 0
  const strip = (octets: Uint8Array) =>
    Buffer.from(octets)
      .toString('hex')
      .toUpperCase()
      .replace(/^(00)+/, '')
  return [strip(body.subarray(2, 2 + lengthR)), strip(body.subarray(4 + lengthR))]
}

describe('deterministic ECDSA', () => {
  it.each(VECTORS)('gives the signature of RFC 6979 for %s with %s over "%s"', (name, hash, message, r, s) => {
    const signature = signEcdsaDeterministic({
      curve: CURVES[name],
      hash,
      scalar: hex(KEYS[name]),
      data: utf8(message),
    })
    expect(parts(signature)).toEqual([r.replace(/^(00)+/, ''), s.replace(/^(00)+/, '')])
  })

  it.each(Object.keys(CURVES) as (keyof typeof CURVES)[])(
    'verifies on %s with node:crypto, whatever is signed',
    (name) => {
      const curve = CURVES[name]
      const property = fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (data, seed) => {
        const scalar = scalarFrom(curve, seededRandom(seed))
        const ecdh = createECDH(curve.name)
        ecdh.setPrivateKey(scalar)
        const point = ecdh.getPublicKey()
        const half = (point.length - 1) / 2
        const [x, y] = [point.subarray(1, 1 + half), point.subarray(1 + half)].map((part) => toBase64url(part))
        const key = createPublicKey({ key: { kty: 'EC', crv: name, x: x ?? '', y: y ?? '' }, format: 'jwk' })
        const signature = signEcdsaDeterministic({ curve, hash: 'sha384', scalar, data })
        expect(verify('sha384', data, key, signature)).toBe(true)
      })
      fc.assert(property, { numRuns: 25 })
    },
  )

  it('draws a scalar again when it is zero or not below the order', () => {
    const zero = new Uint8Array(32)
    const tooLarge = new Uint8Array(32).fill(0xff)
    const good = new Uint8Array(32).fill(7)
    expect(scalarFrom(CURVES['P-256'], scriptedRandom([zero, tooLarge, good]))).toEqual(good)
  })

  it('masks the bits that the order of P-521 does not have', () => {
    const drawn = new Uint8Array(66).fill(0xff)
    drawn[65] = 0
    drawn[1] = 0
    expect(scalarFrom(CURVES['P-521'], scriptedRandom([drawn]))[0]).toBe(1)
  })
})
