import { describe, expect, it } from 'vitest'
import {
  type Exchange,
  exchangeJson,
  requestLines,
  responseLines,
} from '../../src-renderer/inspector/exchange-lines.ts'
import { lineDifference } from '../../src-renderer/inspector/line-difference.ts'

const marks = { same: ' ', gone: '-', come: '+' }
const diff = (before: string, after: string) =>
  lineDifference([...before], [...after])
    .map(({ kind, text }) => marks[kind] + text)
    .join('')

describe('the difference of two lists of lines', () => {
  it.each([
    ['', '', ''],
    ['abc', 'abc', ' a b c'],
    ['abc', 'axc', ' a-b+x c'],
    ['abc', '', '-a-b-c'],
    ['', 'ab', '+a+b'],
    ['abcd', 'bcde', '-a b c d+e'],
    ['aab', 'ab', ' a-a b'],
  ])('of %j and %j is %j', (before, after, expected) => {
    expect(diff(before, after)).toBe(expected)
  })

  it('has what a field was and what it is beside each other', () => {
    const before = ['type: get', 'challenge: a', 'origin: x', 'old: 1', 'end']
    const after = ['type: get', 'challenge: b', 'new: 2', 'origin: y', 'end']
    expect(lineDifference(before, after).map(({ kind, text }) => marks[kind] + text)).toEqual([
      ' type: get',
      '-challenge: a',
      '+challenge: b',
      '+new: 2',
      '-origin: x',
      '+origin: y',
      '-old: 1',
      ' end',
    ])
  })

  it('of very long lists is not searched for', () => {
    const long = Array.from({ length: 2000 }, (_, i) => String(i))
    const lines = lineDifference(long, ['0'])
    expect([lines.length, lines[0]?.kind, lines.at(-1)?.kind]).toEqual([2001, 'gone', 'come'])
  })
})

describe('an exchange', () => {
  const exchange = {
    kind: 'exchange',
    request: { method: 'POST', target: '/x?y', headers: [['Host', 'h']], body: '{"a":1,"b":[2]}' },
    response: { status: 200, headers: [], body: 'plain' },
  } as unknown as Exchange

  it('is lines: what was asked, the headers, the body laid out', () => {
    expect(requestLines(exchange)).toEqual([
      'POST /x?y',
      'Host: h',
      '',
      '{',
      '  "a": 1,',
      '  "b": [',
      '    2',
      '  ]',
      '}',
    ])
    expect(responseLines(exchange)).toEqual(['HTTP 200', '', 'plain'])
  })

  it('is copied as all that was recorded of it', () => {
    expect(JSON.parse(exchangeJson(exchange))).toEqual(exchange)
  })
})
