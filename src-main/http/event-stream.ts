import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import type { RawResponse, StreamWire } from './message.ts'

/** `json` must come from JSON.stringify: it has no line breaks, so the data is one line. */
export type StreamEvent = { readonly event?: string; readonly id?: string; readonly json: string }

export type EventStream = Pick<StreamWire, 'onceDrained' | 'end'> & {
  /** False while the client reads too slowly. */
  send(event: StreamEvent): boolean
}

const HEARTBEAT_MS = 15_000

type Options = {
  readonly headers?: readonly HeaderPair[]
  /** Events within this time after another one are written together. */
  readonly togetherMs?: number
}

/** `start` is called once the head is sent; it returns what to do when the client is gone. */
export const eventStream = (
  start: (stream: EventStream) => () => void,
  { headers = [], togetherMs }: Options = {},
): RawResponse => ({
  status: 200,
  headers: [['Content-Type', 'text/event-stream; charset=utf-8'], ['Cache-Control', 'no-store'], ...headers],
  body: '',
  stream: (wire) => {
    // Sends first bytes at once: some clients report an open stream only then.
    wire.write(': open\n\n')
    const heart = setInterval(() => wire.write(': alive\n\n'), HEARTBEAT_MS)
    heart.unref()
    const together = togetherMs === undefined ? undefined : writtenTogether(wire, togetherMs)
    const stop = start({
      send: (event) => (together ?? wire).write(encodeEvent(event)),
      onceDrained: wire.onceDrained,
      end: () => {
        together?.flush()
        wire.end()
      },
    })
    return () => {
      clearInterval(heart)
      together?.stop()
      stop()
    }
  },
})

export const encodeEvent = ({ event, id, json }: StreamEvent): string => {
  const lines = [`data: ${json}`]
  if (id !== undefined) lines.unshift(`id: ${id}`)
  if (event !== undefined) lines.unshift(`event: ${event}`)
  return `${lines.join('\n')}\n\n`
}

/** Waiting text of this length is written at once, so that a slow reader is noticed. */
const MAX_CHARACTERS = 64 * 1024

/**
 * The first text after a pause is written without delay; texts within `pauseMs` after it are written together, so that
 * a busy stream does not wake its reader for each one.
 */
const writtenTogether = (wire: Pick<StreamWire, 'write' | 'onceDrained'>, pauseMs: number) => {
  let waiting = ''
  let taken = true
  let pause: NodeJS.Timeout | undefined
  const flush = (): boolean => {
    const text = waiting
    waiting = ''
    if (text === '' || wire.write(text)) return taken
    taken = false
    wire.onceDrained(() => {
      taken = true
    })
    return false
  }
  const ended = (): void => {
    pause = undefined
    if (waiting === '') return
    flush()
    rest()
  }
  const rest = (): void => {
    pause = setTimeout(ended, pauseMs)
    pause.unref()
  }
  return {
    /** False while the reader is too slow; later text then waits as well. */
    write: (text: string): boolean => {
      waiting += text
      if (pause !== undefined) return waiting.length < MAX_CHARACTERS ? taken : flush()
      rest()
      return flush()
    },
    flush,
    stop: () => clearTimeout(pause),
  }
}
