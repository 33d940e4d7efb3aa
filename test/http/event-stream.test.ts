import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type EventStream, encodeEvent, eventStream } from '../../src-main/http/event-stream.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

const opened = (options?: Parameters<typeof eventStream>[1]) => {
  const written: string[] = []
  let stream: EventStream | undefined
  let stopped = 0
  const reader = { slow: false, drained: [] as (() => void)[] }
  const response = eventStream((given) => {
    stream = given
    return () => {
      stopped += 1
    }
  }, options)
  const stop = response.stream?.({
    write: (chunk) => {
      written.push(String(chunk))
      return !reader.slow
    },
    onceDrained: (listener) => reader.drained.push(listener),
    end: () => written.push('end'),
  })
  const drain = (): void => {
    reader.slow = false
    for (const listener of reader.drained.splice(0)) listener()
  }
  return { response, written, stream, stop, stopped: () => stopped, reader, drain }
}

const send = (stream: EventStream | undefined, ...texts: readonly string[]) =>
  texts.map((text) => stream?.send({ json: text }))

describe('a stream of server-sent events', () => {
  test('is not cached, and says at once that it is open', () => {
    const { response, written } = opened()
    expect(response.headers).toContainEqual(['Content-Type', 'text/event-stream; charset=utf-8'])
    expect(response.headers).toContainEqual(['Cache-Control', 'no-store'])
    expect(written).toEqual([': open\n\n'])
  })

  test('[app.inbox-alive] has a comment every 15 s, until it is closed', () => {
    const { written, stop, stopped } = opened()
    vi.advanceTimersByTime(14_999)
    expect(written).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(written).toEqual([': open\n\n', ': alive\n\n'])
    vi.advanceTimersByTime(30_000)
    expect(written).toHaveLength(4)
    stop?.()
    vi.advanceTimersByTime(60_000)
    expect([written.length, stopped()]).toEqual([4, 1])
  })

  test('writes event, id and data, one line each', () => {
    const { stream, written } = opened()
    stream?.send({ event: 'message', id: '7', json: JSON.stringify({ text: 'two\nlines' }) })
    expect(written.at(-1)).toBe('event: message\nid: 7\ndata: {"text":"two\\nlines"}\n\n')
    expect(encodeEvent({ json: '1' })).toBe('data: 1\n\n')
  })

  test('writes one event at once, and together what follows it within the time that is given', () => {
    const { stream, written } = opened({ togetherMs: 20 })
    written.length = 0
    send(stream, '1', '2', '3')
    expect(written).toEqual(['data: 1\n\n'])
    vi.advanceTimersByTime(20)
    send(stream, '4')
    vi.advanceTimersByTime(20)
    vi.advanceTimersByTime(20)
    send(stream, '5')
    expect(written.slice(1)).toEqual(['data: 2\n\ndata: 3\n\n', 'data: 4\n\n', 'data: 5\n\n'])
  })

  test('writes much before its time, so that a reader who is too slow is noticed', () => {
    const { stream, written, reader } = opened({ togetherMs: 20 })
    reader.slow = true
    const heavy = 'x'.repeat(70_000)
    expect(send(stream, '1', heavy)).toEqual([false, false])
    expect(written.at(-1)).toBe(`data: ${heavy}\n\n`)
  })

  test('is behind until the reader has read what was written together, and not longer', () => {
    const { stream, reader, drain } = opened({ togetherMs: 20 })
    send(stream, '1', '2')
    reader.slow = true
    vi.advanceTimersByTime(20)
    expect(send(stream, '3')).toEqual([false])
    drain()
    expect(send(stream, '4')).toEqual([true])
  })

  test('writes what waits before it ends', () => {
    const { stream, written } = opened({ togetherMs: 20 })
    send(stream, '1', '2')
    stream?.end()
    expect(written.slice(-2)).toEqual(['data: 2\n\n', 'end'])
  })
})
