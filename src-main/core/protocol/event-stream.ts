export type StreamedEvent = { readonly event: string; readonly data: string; readonly id: string | undefined }

/**
 * HTML Standard §9.2.6: parses an event stream from chunks cut anywhere. `push` returns false once an unfinished line
 * is longer than `longestLine`: the body is then no event stream of the service.
 */
export const createEventStreamParser = (onEvent: (event: StreamedEvent) => void, longestLine = Number.MAX_VALUE) => {
  // TextDecoder drops a byte order mark.
  const decoder = new TextDecoder()
  let rest = ''
  let event = ''
  let data: string[] = []
  let id: string | undefined

  const dispatch = (): void => {
    if (data.length > 0) onEvent({ event: event === '' ? 'message' : event, data: data.join('\n'), id })
    event = ''
    data = []
  }

  const field = (line: string): void => {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const raw = colon < 0 ? '' : line.slice(colon + 1)
    const value = raw.startsWith(' ') ? raw.slice(1) : raw
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
    else if (name === 'id' && !value.includes('\0')) id = value
  }

  return {
    push(chunk: Uint8Array): boolean {
      rest += decoder.decode(chunk, { stream: true })
      for (;;) {
        const end = /\r\n|\n|\r(?!$)/.exec(rest)
        if (end === null) break
        const line = rest.slice(0, end.index)
        rest = rest.slice(end.index + end[0].length)
        if (line === '') dispatch()
        else if (!line.startsWith(':')) field(line)
      }
      return rest.length <= longestLine
    },
  }
}

export async function* streamedEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const reader = body.getReader()
  const arrived: StreamedEvent[] = []
  const parser = createEventStreamParser((event) => arrived.push(event))
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.push(value)
      yield* arrived.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
