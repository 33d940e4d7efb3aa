import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { createBatcher } from '../../../src-main/core/protocol/batcher.ts'
import { fromBase64url, fromHex, fromUtf8, toBase64url, toHex, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import {
  createEventStreamParser,
  type StreamedEvent,
  streamedEvents,
} from '../../../src-main/core/protocol/event-stream.ts'
import { rememberByText } from '../../../src-main/core/protocol/remember.ts'

test('a text is worked out once, and what is kept does not grow with what is asked', () => {
  const asked: string[] = []
  const length = rememberByText((text) => {
    asked.push(text)
    return text.length
  })
  expect([length('a'), length('bb'), length('a'), length('bb')]).toEqual([1, 2, 1, 2])
  expect(asked).toEqual(['a', 'bb'])
  for (let n = 0; n < 1_000; n++) expect(length(`text ${n}`)).toBe(`text ${n}`.length)
  length('a')
  expect(asked.filter((text) => text === 'a')).toHaveLength(2)
})

const gathering = () => {
  const handed: (readonly string[])[] = []
  const later: (() => void)[] = []
  return {
    handed,
    later,
    ...createBatcher<string>(
      (flush) => later.push(flush),
      (items) => handed.push(items),
    ),
  }
}

test('what is added meanwhile is handed over at once and in order', () => {
  const { add, handed, later } = gathering()
  add('a')
  add('b')
  expect([handed, later.length]).toEqual([[], 1])
  later.shift()?.()
  add('c')
  later.shift()?.()
  expect(handed).toEqual([['a', 'b'], ['c']])
})

test('flushed early, it is handed over once', () => {
  const { add, flush, handed, later } = gathering()
  add('a')
  flush()
  later.shift()?.()
  flush()
  expect(handed).toEqual([['a']])
})

const parse = (chunks: readonly (Buffer | string)[]): { readonly events: StreamedEvent[]; readonly sane: boolean } => {
  const events: StreamedEvent[] = []
  const parser = createEventStreamParser((event) => events.push(event), 256 * 1024)
  const sane = chunks.map((chunk) => parser.push(Buffer.from(chunk))).every((fine) => fine)
  return { events, sane }
}

it.each([
  ['one event', 'id: 7\nevent: message\ndata: {"a":1}\n\n', [{ event: 'message', data: '{"a":1}', id: '7' }]],
  ['an event without a name', 'data: x\n\n', [{ event: 'message', data: 'x', id: undefined }]],
  ['several data lines', 'data: a\ndata:b\ndata\n\n', [{ event: 'message', data: 'a\nb\n', id: undefined }]],
  ['a comment', ': still here\n\ndata: x\n\n', [{ event: 'message', data: 'x', id: undefined }]],
  ['CRLF', 'data: x\r\n\r\n', [{ event: 'message', data: 'x', id: undefined }]],
  ['a byte order mark', '\ufeffdata: x\n\n', [{ event: 'message', data: 'x', id: undefined }]],
  ['an unfinished event', 'data: x\n', []],
  ['an event without data', 'event: message\nid: 3\n\n', []],
  [
    'an id that stays',
    'id: 3\ndata: a\n\ndata: b\n\n',
    [
      { event: 'message', data: 'a', id: '3' },
      { event: 'message', data: 'b', id: '3' },
    ],
  ],
])('an event stream reads %s', (_, text, events) => {
  expect(parse([text]).events).toEqual(events)
})

it('an event stream reads the same however it is cut into chunks', () => {
  const text = Buffer.from(
    '\ufeff: hi\r\nid: 1\r\ndata: grüße 漢字 🦦\r\n\r\nid: 2\ndata: a\ndata: b\n\nevent: x\rdata: c\r\rdata: d\n\n',
  )
  const whole = parse([text]).events
  expect(whole).toHaveLength(4)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      const chunks = edges.slice(1).map((end, i) => text.subarray(edges[i], end))
      expect(parse(chunks).events).toEqual(whole)
    }),
  )
})

it('an event stream is read from a body as it arrives, also behind a proxy that writes CRLF', async () => {
  const lines = ['id: 1\r\nevent: message\r\ndata: {\r', '\ndata: }\r\n\r\n: alive\r\n\r\n', 'data: b\r\n\r\n']
  const body = new Blob(lines).stream()
  const events: StreamedEvent[] = []
  for await (const event of streamedEvents(body)) events.push(event)
  expect(events.map(({ data }) => data)).toEqual(['{\n}', 'b'])
})

it('an event stream says so when a line has no end in sight', () => {
  expect(parse(Array.from({ length: 300 }, () => 'x'.repeat(1024))).sane).toBe(false)
})

const anyBytes = fc.uint8Array({ maxLength: 70 }).map((bytes) => new Uint8Array(bytes))

it('base64url agrees with Node on any bytes and comes back the same', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const text = toBase64url(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64url'))
      expect(fromBase64url(text)).toEqual({ ok: true, value: bytes })
    }),
  )
})

it.each(['A', 'AAAAA', 'AA==', 'A+A', 'A/AA', 'AA A', 'AB', 'AAB', 'é'])('base64url refuses %j', (text) => {
  expect(fromBase64url(text).ok).toBe(false)
})

it('base64url gives every value one spelling only', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,12}$/), (text) => {
      const decoded = fromBase64url(text)
      if (decoded.ok) expect(toBase64url(decoded.value)).toBe(text)
    }),
  )
})

it('hex is lower case and comes back the same', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
      expect(fromHex(toHex(bytes))).toEqual({ ok: true, value: bytes })
    }),
  )
})

it.each(['0', '0g', ' 00'])('hex refuses %j', (text) => {
  expect(fromHex(text).ok).toBe(false)
})

it('UTF-8 keeps a byte order mark and refuses what is malformed', () => {
  expect(fromUtf8(utf8('\uFEFFa'))).toBe('\uFEFFa')
  expect(fromUtf8(new Uint8Array([0xc0, 0x80]))).toBeUndefined()
  expect(fromUtf8(new Uint8Array([0xed, 0xa0, 0x80]))).toBeUndefined()
})
