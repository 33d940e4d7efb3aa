// Any Node version runs this, so it is plain JavaScript.
import process from 'node:process'

/** Exit code that the commands also use after Ctrl-C. */
export const STOPPED = 130
export const STOPPED_EARLY = 'handset: stopped before it was ready.'

/** Ends the program on Ctrl-C, with one line, while its modules still load (up to a second). */
export const endEarly = () => {
  process.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') > 1) return
    console.error(STOPPED_EARLY)
    process.exit(STOPPED)
  })
}
