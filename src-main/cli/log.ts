import { realClock } from '../bench/harness/clock.ts'
import { logProblemText } from '../core/contract/log-problems.ts'
import { createBatcher } from '../core/protocol/batcher.ts'
import { type Log, type LogLine, silentLog } from '../core/protocol/log.ts'
import { type Clock, formatRfc3339 } from '../core/protocol/time.ts'
import { paintFor, type Terminal } from './terminal.ts'

export const LOG_FORMS = ['text', 'json', 'off'] as const
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const

export type LogOptions = { readonly form: (typeof LOG_FORMS)[number]; readonly level: (typeof LOG_LEVELS)[number] }

export const QUIET_LOG: LogOptions = { form: 'text', level: 'warn' }

/**
 * Writes one line per entry to stderr. Lines of one turn of the event loop are written together, since a system call
 * for each would take a tenth of a request's time; warnings and errors are written immediately.
 */
export const terminalLog = (terminal: Terminal, { form, level }: LogOptions, clock: Clock = realClock): Log => {
  if (form === 'off') return silentLog
  const { dim, red, yellow } = paintFor(terminal)
  const marks = { error: red('error'), warn: yellow('warn '), info: dim('info '), debug: dim('debug') } as const
  const lines = createBatcher<string>(setImmediate, (texts) =>
    terminal.error(texts.reduce((all, text) => `${all}\n${text}`)),
  )
  // The time is formatted once per millisecond, because up to thirty requests share one.
  const written = { at: Number.NaN, text: '' }
  const time = (): string => {
    const at = clock.now()
    if (at !== written.at) Object.assign(written, { at, text: formatRfc3339(at) })
    return written.text
  }
  const most = LOG_LEVELS.indexOf(level)
  if (most >= LOG_LEVELS.indexOf('info')) process.once('exit', lines.flush)
  return (line) => {
    if (LOG_LEVELS.indexOf(line.level) > most) return
    const trouble = line.level === 'error' || line.level === 'warn'
    lines.add(
      form === 'json'
        ? JSON.stringify({ time: time(), ...line, ...(line.problem && { text: logProblemText(line.problem) }) })
        : `${time()} ${marks[line.level]} ${line.event} ${fieldsOf(line)}`,
    )
    if (trouble) lines.flush()
  }
}

const fieldsOf = (line: LogLine): string => {
  let text = ''
  for (const key in line) {
    const field = line[key]
    if (field === undefined || key === 'level' || key === 'event') continue
    const value = typeof field === 'object' ? logProblemText(field) : field
    text += ` ${key}=${typeof value === 'string' && /[\s"]/.test(value) ? JSON.stringify(value) : value}`
  }
  return text
}
