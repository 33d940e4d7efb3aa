import { StringDecoder } from 'node:string_decoder'

export type StreamedEvent = { readonly event: string; readonly data: string; readonly id: string | undefined }

// Far above any push; beyond it the peer is not one of ours.
const BUFFER_LIMIT = 256 * 1024

/** HTML Standard §9.2.6: an event stream from chunks cut anywhere. `push` is false once the stream makes no sense. */
export const createEventStreamParser = (onEvent: (event: StreamedEvent) => void) => {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let atStart = true
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
    push(chunk: Buffer): boolean {
      rest += decoder.write(chunk)
      if (atStart && rest !== '') {
        if (rest.startsWith('\ufeff')) rest = rest.slice(1)
        atStart = false
      }
      for (;;) {
        const end = /\r\n|\n|\r(?!$)/.exec(rest)
        if (end === null) break
        const line = rest.slice(0, end.index)
        rest = rest.slice(end.index + end[0].length)
        if (line === '') dispatch()
        else if (!line.startsWith(':')) field(line)
      }
      return rest.length <= BUFFER_LIMIT
    },
  }
}
