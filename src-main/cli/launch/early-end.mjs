// Any Node may read this file, so it is plain JavaScript.
import process from 'node:process'

/** The same as the commands use later. */
export const STOPPED = 130
export const STOPPED_EARLY = 'handset: stopped before it was ready.'

/** Ctrl-C ends the program in one line until it listens itself: its modules may take a second. */
export const endEarly = () => {
  process.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') > 1) return
    console.error(STOPPED_EARLY)
    process.exit(STOPPED)
  })
}
