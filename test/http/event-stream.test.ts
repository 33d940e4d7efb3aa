import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type EventStream, encodeEvent, eventStream } from '../../src-main/http/event-stream.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const opened = () => {
  const written: string[] = []
  let stream: EventStream | undefined
  let stopped = 0
  const response = eventStream((given) => {
    stream = given
    return () => {
      stopped += 1
    }
  })
  const stop = response.stream?.({
    write: (chunk) => {
      written.push(String(chunk))
      return true
    },
    onceDrained: () => {},
    end: () => {},
  })
  return { response, written, stream, stop, stopped: () => stopped }
}

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
})
