import type { StreamWire } from './message.ts'

/** What waits is written when it is this long, so that a reader which is too slow is noticed. */
const MOST_CHARACTERS = 64 * 1024

/** `write` is false while the reader is too slow; then what follows waits for it, too. */
export type WrittenTogether = {
  write(text: string): boolean
  flush(): void
  stop(): void
}

/**
 * The first text after a pause is written at once; what follows it within `pauseMs`, together. A reader of a busy stream
 * is woken as often as it can draw, and not for each text.
 */
export const writtenTogether = (wire: Pick<StreamWire, 'write' | 'onceDrained'>, pauseMs: number): WrittenTogether => {
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
    write: (text) => {
      waiting += text
      if (pause !== undefined) return waiting.length < MOST_CHARACTERS ? taken : flush()
      rest()
      return flush()
    },
    flush,
    stop: () => clearTimeout(pause),
  }
}
