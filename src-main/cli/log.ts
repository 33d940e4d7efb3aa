import { realClock } from '../harness/clock.ts'
import { createBatcher } from '../protocol/batcher.ts'
import type { Clock } from '../protocol/clock.ts'
import type { Log, LogLine } from '../protocol/log.ts'
import { formatRfc3339 } from '../protocol/time.ts'
import { paintFor, type Terminal } from './terminal.ts'

/**
 * Trouble always, requests when asked for; on stderr, one line each. What one turn of the event loop has to tell is written
 * in one go, since a system call for each request would cost a tenth of it; trouble is written at once.
 */
export const terminalLog = (terminal: Terminal, verbose: boolean, clock: Clock = realClock): Log => {
  const { dim, red, yellow } = paintFor(terminal)
  const marks = { error: red('error'), warn: yellow('warn '), info: dim('info '), debug: dim('debug') } as const
  const lines = createBatcher<string>(setImmediate, (texts) =>
    terminal.error(texts.reduce((all, text) => `${all}\n${text}`)),
  )
  // Thirty requests fit into a millisecond.
  const written = { at: Number.NaN, text: '' }
  const time = (): string => {
    const at = clock.now()
    if (at !== written.at) Object.assign(written, { at, text: formatRfc3339(at) })
    return written.text
  }
  if (verbose) process.once('exit', lines.flush)
  return (line) => {
    const trouble = line.level === 'error' || line.level === 'warn'
    if (!verbose && !trouble) return
    lines.add(`${time()} ${marks[line.level]} ${line.event} ${fieldsOf(line)}`)
    if (trouble) lines.flush()
  }
}

const fieldsOf = (line: LogLine): string => {
  let text = ''
  for (const key in line) {
    const value = line[key]
    if (value === undefined || key === 'level' || key === 'event') continue
    text += ` ${key}=${typeof value === 'string' && /[\s"]/.test(value) ? JSON.stringify(value) : value}`
  }
  return text
}
