import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CborItem, decodeCbor, findEntry } from '../../../src-main/core/judge/cbor.ts'
import { decodeClientDataText, parseClientData } from '../../../src-main/core/judge/client-data.ts'
import { concat, fromHex, fromUtf8, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import { type Cbor, cbor, map } from '../../support/ceremony/cbor.ts'

const bytes = (hex: string) => {
  const value = fromHex(hex)
  if (!value.ok) throw new Error(value.error)
  return value.value
}

const decoded = (hex: string) => {
  const result = decodeCbor(bytes(hex))
  if (!result.ok) throw new Error(result.error.fault)
  return result.value
}

const fault = (hex: string) => {
  const result = decodeCbor(bytes(hex))
  return result.ok ? undefined : result.error.fault
}

const irregularities = (hex: string) => decoded(hex).irregularities.map(({ word }) => word)

// RFC 8949 appendix A.
it.each([
  ['00', 0],
  ['17', 23],
  ['1818', 24],
  ['1903e8', 1000],
  ['1a000f4240', 1_000_000],
  ['1b000000e8d4a51000', 1_000_000_000_000],
  ['1bffffffffffffffff', 18446744073709551615n],
  ['20', -1],
  ['3903e7', -1000],
  ['3bffffffffffffffff', -18446744073709551616n],
])('a number: %s is %s', (hex, value) => expect(decoded(hex).item).toMatchObject({ type: 'integer', value }))

it.each([
  '1800',
  '1817',
  '190000',
  '1900ff',
  '1a0000ffff',
  '1b00000000ffffffff',
  '3817',
  '5800',
  '7800',
  '9800',
  'b800',
])('a number: %s is not in its shortest form', (hex) => expect(irregularities(hex)).toEqual(['cbor_not_minimal']))

it.each(['f90000', 'fa00000000', 'fb0000000000000000'])('a number: %s is a float, without a shortest form', (hex) => {
  expect(decoded(hex)).toMatchObject({ item: { type: 'float', value: 0 }, irregularities: [] })
})

it.each([
  ['f93c00', 1],
  ['f97bff', 65504],
  ['f90001', 2 ** -24],
  ['f9c400', -4],
  ['f97c00', Number.POSITIVE_INFINITY],
  ['f97e00', Number.NaN],
  ['fa47c35000', 100000],
  ['fb3ff199999999999a', 1.1],
])('a number: %s is the float %d', (hex, value) => expect(decoded(hex).item).toMatchObject({ type: 'float', value }))

it.each([
  ['f4', false],
  ['f5', true],
  ['f6', null],
  ['f7', undefined],
  ['f0', 16],
  ['f8ff', 255],
])('the simple value %s is %s', (hex, value) =>
  expect(decoded(hex).item).toEqual({ type: 'simple', value, start: 0, end: hex.length / 2 }),
)

it.each(['e0', 'f3', 'f820', 'f8ff'])('the simple value %s has no meaning', (hex) =>
  expect(irregularities(hex)).toEqual(['cbor_value_unassigned']),
)

it.each([
  ['', 'truncated'],
  ['18', 'truncated'],
  ['1900', 'truncated'],
  ['42ff', 'truncated'],
  ['5bffffffffffffffff', 'truncated'],
  ['82ffff', 'indefinite_length'],
  ['8201', 'truncated'],
  ['9bffffffffffffffff', 'truncated'],
  ['a101', 'truncated'],
  ['bbffffffffffffffff', 'truncated'],
  ['c1', 'truncated'],
  ['f8', 'truncated'],
  ['fb00', 'truncated'],
  ['1c', 'reserved_value'],
  ['3e', 'reserved_value'],
  ['f800', 'reserved_value'],
  ['f81f', 'reserved_value'],
  ['fd', 'reserved_value'],
  ['1f', 'indefinite_length'],
  ['5f4100ff', 'indefinite_length'],
  ['9fff', 'indefinite_length'],
  ['bfff', 'indefinite_length'],
  ['ff', 'indefinite_length'],
  ['61ff', 'text_not_utf8'],
  ['62c080', 'text_not_utf8'],
  ['63eda080', 'text_not_utf8'],
])('what cannot be decoded: %s is %s', (hex, expected) => expect(fault(hex)).toBe(expected))

it('what cannot be decoded: nesting beyond sixteen levels', () => {
  expect(fault(`${'81'.repeat(15)}00`)).toBeUndefined()
  expect(fault(`${'81'.repeat(16)}00`)).toBe('too_deep')
  expect(fault('c1'.repeat(60_000))).toBe('too_deep')
})

it('what cannot be decoded: more than 4,096 items', () => {
  expect(fault(`990fff${'00'.repeat(4095)}`)).toBeUndefined()
  expect(fault(`991000${'00'.repeat(4096)}`)).toBe('too_many_items')
})

it.each([
  ['in order of type, length and octets', 'a5 01 00 20 00 41 00 00 61 61 00 62 61 61 00', []],
  ['with a long key before a short one', 'a2 626161 00 6162 00', ['cbor_keys_unordered']],
  ['with a text key before a number', 'a2 6161 00 01 00', ['cbor_keys_unordered']],
  ['with a negative key before a positive one', 'a2 20 00 01 00', ['cbor_keys_unordered']],
  ['with a later key of the same length first', 'a2 6162 00 6161 00', ['cbor_keys_unordered']],
  ['with a key twice', 'a2 01 00 01 01', ['cbor_duplicate_key']],
  ['with a key twice, but not in a row', 'a3 01 00 02 00 01 00', ['cbor_duplicate_key']],
  ['with a key twice, once written longer', 'a2 01 00 1801 00', ['cbor_not_minimal', 'cbor_duplicate_key']],
  ['with another type of the same value', 'a2 01 00 6131 00', []],
])('a map: %s', (_, hex, expected) => expect(irregularities(hex.replaceAll(' ', ''))).toEqual(expected))

it('a map gives the value of a key, and of a duplicate the first', () => {
  const { item } = decoded('a301006161182a0102')
  if (item.type !== 'map') throw new Error('no map')
  expect(findEntry(item, 'a')).toMatchObject({ value: 42, start: 5, end: 7 })
  expect(findEntry(item, 1)).toMatchObject({ value: 0 })
  expect(findEntry(item, '1')).toBeUndefined()
})

it('marks a tag and still reads what it tags', () => {
  expect(decoded('c11a514b67b0')).toMatchObject({ item: { type: 'tag', tag: 1, item: { value: 1363896240 } } })
  expect(irregularities('c11a514b67b0')).toEqual(['cbor_tag_present'])
})

it('decodes one item and leaves what follows to the caller', () => {
  const result = decodeCbor(bytes('ff0102'), 1)
  expect(result.ok && result.value).toMatchObject({ item: { value: 1, start: 1, end: 2 }, end: 2 })
})

const encodable: fc.Arbitrary<Cbor> = fc.letrec<{ value: Cbor }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.integer({ min: -(2 ** 32), max: 2 ** 32 - 1 }),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 300 }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), tie('value')), { maxLength: 5 }).map((pairs) => map(...pairs)),
  ),
})).value

const plain = (item: CborItem): unknown => {
  if (item.type === 'array') return item.items.map(plain)
  if (item.type === 'map') return { pairs: item.entries.map(({ key, value }) => [plain(key), plain(value)]) }
  return 'value' in item ? item.value : undefined
}

it('reads whatever an independent encoder writes, to the last octet', () => {
  fc.assert(
    fc.property(encodable, (value) => {
      const encoded = cbor(value)
      const result = decodeCbor(encoded)
      if (!result.ok) return result.error.fault === 'too_deep'
      expect(result.value.end).toBe(encoded.length)
      expect(plain(result.value.item)).toEqual(value)
      return true
    }),
    { seed: 7, numRuns: 300 },
  )
})

it('never throws, whatever the octets', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (octets) => {
      const result = decodeCbor(Uint8Array.from(octets))
      return result.ok ? result.value.end <= octets.length : result.error.offset <= octets.length
    }),
    { seed: 7, numRuns: 2000 },
  )
})

const parsed = (bytes: ReturnType<typeof utf8>) => {
  const text = decodeClientDataText(bytes)
  if (text.value === undefined) throw new Error('no text')
  return parseClientData(bytes, text.value)
}

it('client data is read with the place of every value', () => {
  const bytes = utf8('{ "type" : "a\\"}", "é" :{"x":[1,"]"]} ,"n":-1.5e3}')
  const members = [...(parsed(bytes).value?.values() ?? [])]
  expect(members.map(({ name, value }) => [name, value])).toEqual([
    ['type', 'a"}'],
    ['é', { x: [1, ']'] }],
    ['n', -1500],
  ])
  const slices = members.map(({ start, end }) => fromUtf8(bytes.subarray(start, end)))
  expect(slices).toEqual(['"a\\"}"', '{"x":[1,"]"]}', '-1.5e3'])
})

it('client data counts places from the first octet, byte order mark or not', () => {
  const bytes = concat(Uint8Array.of(0xef, 0xbb, 0xbf), utf8('{"a":1}'))
  expect(parsed(bytes).value?.get('a')).toMatchObject({ start: 8, end: 9 })
})

it('client data has a member twice even when the names are escaped differently', () => {
  const { value, findings } = parsed(utf8('{"type":"a","\\u0074ype":"b"}'))
  expect(findings.map(({ word }) => word)).toEqual(['client_data_duplicate_member'])
  expect(value?.get('type')?.value).toBe('a')
})

it.each(['', '[]', '1', '"a"', 'null', '{', '{}x'])('client data that is %s is malformed', (text) => {
  expect(parsed(utf8(text)).findings.map(({ word }) => word)).toEqual(['malformed_client_data'])
})

it('client data may be empty', () => expect(parsed(utf8(' { } ')).value?.size).toBe(0))

it('client data keeps a member named like what objects inherit', () => {
  expect(parsed(utf8('{"__proto__":1,"constructor":2}')).value?.get('__proto__')?.value).toBe(1)
})

it('client data is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (object, space) => {
      const members = parsed(utf8(JSON.stringify(object, null, space))).value
      expect(Object.fromEntries([...(members ?? [])].map(([name, { value }]) => [name, value]))).toEqual(
        JSON.parse(JSON.stringify({ ...object })),
      )
    }),
    { seed: 7, numRuns: 300 },
  )
})
