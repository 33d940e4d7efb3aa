import { describe, expect, it } from 'vitest'
import { differenceOf, hotByte } from '../../src-renderer/inspector/difference.ts'
import { piecesOf } from '../../src-renderer/inspector/json-pieces.ts'

describe('the difference of two texts', () => {
  it.each([
    ['https://bank.example', 'https://bamk.example', ['https://ba', 'n', 'm', 'k.example']],
    ['abc', 'abc', ['abc', '', '', '']],
    ['aa', 'aaa', ['aa', '', 'a', '']],
    ['', 'x', ['', '', 'x', '']],
  ])('of %j and %j is what stands between what they share', (expected, received, parts) => {
    const { same, expected: wanted, received: got, rest } = differenceOf({ expected, received })
    expect([same, wanted, got, rest]).toEqual(parts)
  })

  it('points to the byte at which it begins', () => {
    const bytes = new TextEncoder().encode('{"origin":"https://bamk.example"}')
    const texts = { expected: '"https://bank.example"', received: '"https://bamk.example"' }
    expect(hotByte(bytes, { start: 10, end: 32 }, texts)).toBe(bytes.indexOf('m'.charCodeAt(0)))
  })

  it('points nowhere when the received text does not stand in the bytes', () => {
    const texts = { expected: 'https://a', received: 'https://b' }
    expect(hotByte(new Uint8Array(32), { start: 0, end: 32 }, texts)).toBeUndefined()
  })
})

describe('a body', () => {
  it('is laid out and its keys, texts and values are told apart', () => {
    const looks = piecesOf('{"a":"b: 1","c":[true,-2.5e3,null]}').filter(({ look }) => look !== 'plain')
    expect(looks).toEqual([
      { look: 'key', text: '"a"' },
      { look: 'text', text: '"b: 1"' },
      { look: 'key', text: '"c"' },
      { look: 'value', text: 'true' },
      { look: 'value', text: '-2.5e3' },
      { look: 'value', text: 'null' },
    ])
  })

  it('is laid out without rewriting any of it', () => {
    const text = '{"n": 12345678901234567890, "n": {}, "l": [ ], "s": "\\u0061"}'
    const laidOut = piecesOf(text)
      .map((piece) => piece.text)
      .join('')
    expect(laidOut.split('\n')).toEqual([
      '{',
      '  "n": 12345678901234567890,',
      '  "n": {},',
      '  "l": [],',
      '  "s": "\\u0061"',
      '}',
    ])
  })

  it('that is no JSON stays as it came', () => {
    expect(piecesOf('{"a":')).toEqual([{ look: 'plain', text: '{"a":' }])
  })
})
