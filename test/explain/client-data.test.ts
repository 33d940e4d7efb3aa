import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeClientDataText, parseClientData } from '../../src-main/explain/client-data.ts'
import { concat, fromUtf8, utf8 } from '../../src-main/protocol/bytes.ts'

const parsed = (bytes: ReturnType<typeof utf8>) => {
  const text = decodeClientDataText(bytes)
  if (text.value === undefined) throw new Error('no text')
  return parseClientData(bytes, text.value)
}

describe('client data', () => {
  it('is read with the place of every value', () => {
    const bytes = utf8('{ "type" : "a\\"}", "é" :{"x":[1,"]"]} ,"n":-1.5e3}')
    const members = [...(parsed(bytes).value?.members.values() ?? [])]
    expect(members.map(({ name, value }) => [name, value])).toEqual([
      ['type', 'a"}'],
      ['é', { x: [1, ']'] }],
      ['n', -1500],
    ])
    const slices = members.map(({ start, end }) => fromUtf8(bytes.subarray(start, end)))
    expect(slices).toEqual(['"a\\"}"', '{"x":[1,"]"]}', '-1.5e3'])
  })

  it('counts places from the first octet, byte order mark or not', () => {
    const bytes = concat(Uint8Array.of(0xef, 0xbb, 0xbf), utf8('{"a":1}'))
    expect(parsed(bytes).value?.members.get('a')).toMatchObject({ start: 8, end: 9 })
  })

  it('has a member twice even when the names are escaped differently', () => {
    const { value, findings } = parsed(utf8('{"type":"a","\\u0074ype":"b"}'))
    expect(findings.map(({ word }) => word)).toEqual(['client_data_duplicate_member'])
    expect(value?.members.get('type')?.value).toBe('a')
  })

  it.each(['', '[]', '1', '"a"', 'null', '{', '{}x'])('that is %s is malformed', (text) => {
    expect(parsed(utf8(text)).findings.map(({ word }) => word)).toEqual(['malformed_client_data'])
  })

  it('may be empty', () => expect(parsed(utf8(' { } ')).value?.members.size).toBe(0))

  it('keeps a member named like what objects inherit', () => {
    expect(parsed(utf8('{"__proto__":1,"constructor":2}')).value?.members.get('__proto__')?.value).toBe(1)
  })

  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (object, space) => {
        const members = parsed(utf8(JSON.stringify(object, null, space))).value?.members
        expect(Object.fromEntries([...(members ?? [])].map(([name, { value }]) => [name, value]))).toEqual(
          JSON.parse(JSON.stringify({ ...object })),
        )
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})
