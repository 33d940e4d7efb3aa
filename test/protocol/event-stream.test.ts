import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventStreamParser, type StreamedEvent, streamedEvents } from '../../src-main/protocol/event-stream.ts'

const parse = (chunks: readonly (Buffer | string)[]): { readonly events: StreamedEvent[]; readonly sane: boolean } => {
  const events: StreamedEvent[] = []
  const parser = createEventStreamParser((event) => events.push(event), 256 * 1024)
  const sane = chunks.map((chunk) => parser.push(Buffer.from(chunk))).every((fine) => fine)
  return { events, sane }
}

describe('an event stream', () => {
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
  ])('reads %s', (_, text, events) => {
    expect(parse([text]).events).toEqual(events)
  })

  it('reads the same however it is cut into chunks', () => {
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

  it('is read from a body as it arrives, also behind a proxy that writes CRLF', async () => {
    const lines = ['id: 1\r\nevent: message\r\ndata: {\r', '\ndata: }\r\n\r\n: alive\r\n\r\n', 'data: b\r\n\r\n']
    const body = new Blob(lines).stream()
    const events: StreamedEvent[] = []
    for await (const event of streamedEvents(body)) events.push(event)
    expect(events.map(({ data }) => data)).toEqual(['{\n}', 'b'])
  })

  it('says so when a line has no end in sight', () => {
    expect(parse(Array.from({ length: 300 }, () => 'x'.repeat(1024))).sane).toBe(false)
  })
})
