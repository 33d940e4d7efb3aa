import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bitStringBytes,
  booleanOf,
  decodeDer,
  integerBytes,
  namedBits,
  oidOf,
  smallInteger,
  unsignedBytes,
} from '../../src-main/explain/der.ts'
import { parseDerTime } from '../../src-main/explain/der-time.ts'
import { fromHex, toHex, utf8 } from '../../src-main/protocol/bytes.ts'
import { HIGH, oid, sequence, tlv } from '../support/ceremony/der.ts'

const bytes = (hex: string) => {
  const value = fromHex(hex.replaceAll(' ', ''))
  if (!value.ok) throw new Error(value.error)
  return value.value
}

const node = (hex: string) => {
  const der = decodeDer(bytes(hex))
  if (!der.ok) throw new Error(der.error.fault)
  return der.value
}

const fault = (hex: string) => {
  const der = decodeDer(bytes(hex))
  return der.ok ? undefined : der.error.fault
}

describe('what is not DER', () => {
  it.each([
    ['', 'truncated'],
    ['30', 'truncated'],
    ['3001', 'truncated'],
    ['30 03 02 01', 'truncated'],
    ['30 02 02 01', 'truncated'],
    ['30 03 02 02 00', 'truncated'],
    ['30 80 00 00', 'indefinite_length'],
    ['30 81 00', 'length_not_minimal'],
    ['30 81 7f', 'length_not_minimal'],
    ['30 82 00 ff', 'length_not_minimal'],
    ['30 85 01 00 00 00 00', 'truncated'],
    ['1f 1e 00', 'tag_not_minimal'],
    ['1f 80 1f 00', 'tag_not_minimal'],
    ['1f', 'truncated'],
    ['05 00 00', 'trailing_bytes'],
  ])('%s is %s', (hex, expected) => expect(fault(hex)).toBe(expected))

  it('nesting beyond 24 levels', () => {
    const nested = (levels: number) =>
      Array.from({ length: levels }).reduce<Uint8Array>((inner) => sequence(inner), new Uint8Array())
    expect(fault(toHex(nested(24)))).toBeUndefined()
    expect(fault(toHex(nested(25)))).toBe('too_deep')
  })

  it('more than 4,096 elements', () => {
    const many = (count: number) => toHex(sequence(...Array.from({ length: count }, () => tlv(0x05))))
    expect(fault(many(4095))).toBeUndefined()
    expect(fault(many(4096))).toBe('too_many_elements')
  })
})

it('reads tags above 30', () => {
  const root = node(toHex(tlv(HIGH + 702, tlv(0x05))))
  expect(root).toMatchObject({ tagClass: 'context', tag: 702, constructed: true, children: [{ tag: 5 }] })
})

it('knows where each element stands', () => {
  const [first, second] = node('30 06 02 01 05 02 01 06').children
  expect([first?.start, first?.end, second?.start, second?.end]).toEqual([2, 5, 5, 8])
  expect(toHex(second?.bytes ?? new Uint8Array())).toBe('020106')
})

describe('an INTEGER', () => {
  it.each([
    ['02 01 00', 0],
    ['02 01 7f', 127],
    ['02 02 00 80', 128],
    ['02 01 ff', -1],
    ['02 02 ff 7f', -129],
    ['02 04 7f ff ff ff', 2147483647],
  ])('%s is %i', (hex, value) => expect(smallInteger(node(hex))).toBe(value))

  it.each(['02 00', '02 02 00 7f', '02 02 ff 80', '04 01 00'])('%s is none', (hex) => {
    expect(integerBytes(node(hex))).toBeUndefined()
  })

  it('that is negative has no unsigned octets', () => expect(unsignedBytes(node('02 01 80'))).toBeUndefined())

  it('that is positive loses the octet that keeps it so', () => {
    expect(toHex(unsignedBytes(node('02 02 00 ff')) ?? new Uint8Array())).toBe('ff')
  })

  it('of five octets is not small', () => expect(smallInteger(node('02 05 01 00 00 00 00'))).toBeUndefined())
})

describe('other types', () => {
  it.each([
    ['01 01 ff', true],
    ['01 01 00', false],
    ['01 01 01', undefined],
    ['01 02 ff ff', undefined],
  ])('the BOOLEAN %s is %s', (hex, value) => expect(booleanOf(node(hex))).toBe(value))

  it.each(['1.2.840.10045.2.1', '2.5.29.19', '2.23.133.8.3', '1.3.6.1.4.1.45724.1.1.4', '0.9.2342'])(
    'the OBJECT IDENTIFIER %s is read',
    (dotted) => expect(oidOf(node(toHex(oid(dotted))))).toBe(dotted),
  )

  it('an OBJECT IDENTIFIER may have two octets for its first arcs', () => {
    expect(oidOf(node('06 03 88 37 03'))).toBe('2.999.3')
  })

  it.each(['06 00', '06 02 80 01', '06 01 88', '04 01 2a'])('the octets %s are no OBJECT IDENTIFIER', (hex) => {
    expect(oidOf(node(hex))).toBeUndefined()
  })

  it('a BIT STRING that does not fill its last octet gives no octets', () => {
    expect(bitStringBytes(node('03 02 01 80'))).toBeUndefined()
    expect(bitStringBytes(node('03 02 00 80'))).toEqual(Uint8Array.of(0x80))
  })
})

describe('named bits', () => {
  it.each([
    ['03 02 07 80', [0x80]],
    ['03 02 02 04', [0x04]],
    ['03 01 00', []],
  ])('are read from %s', (hex, octets) => expect(namedBits(node(hex))).toEqual(Uint8Array.from(octets)))

  it.each(['03 00', '03 01 01', '03 02 08 00', '03 02 03 04', '04 02 00 04'])('are not read from %s', (hex) => {
    expect(namedBits(node(hex))).toBeUndefined()
  })
})

describe('a time', () => {
  const time = (tag: number, text: string) => parseDerTime(node(toHex(tlv(tag, utf8(text)))))

  it.each([
    [0x17, '240101000000Z', Date.UTC(2024, 0, 1)],
    [0x17, '491231235959Z', Date.UTC(2049, 11, 31, 23, 59, 59)],
    [0x17, '500101000000Z', Date.UTC(1950, 0, 1)],
    [0x17, '991231235959Z', Date.UTC(1999, 11, 31, 23, 59, 59)],
    [0x18, '30240101000000Z', Date.UTC(3024, 0, 1)],
    [0x18, '20240229000000Z', Date.UTC(2024, 1, 29)],
  ])('with tag %i, %s is %i', (tag, text, expected) => expect(time(tag, text)).toBe(expected))

  it.each([
    [0x17, '2401010000Z'],
    [0x17, '240101000000+0100'],
    [0x17, '241301000000Z'],
    [0x18, '20230229000000Z'],
    [0x18, '21000229000000Z'],
    [0x18, '20240101240000Z'],
    [0x18, '20240101000060Z'],
    [0x18, '20240101000000.5Z'],
    [0x18, '00990101000000Z'],
    [0x0c, '20240101000000Z'],
  ])('with tag %i, %s is none', (tag, text) => expect(time(tag, text)).toBeUndefined())
})

it('never throws, whatever the octets', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 64 }),
      (octets) => typeof decodeDer(Uint8Array.from(octets)).ok === 'boolean',
    ),
    { seed: 7, numRuns: 2000 },
  )
})
