import type { Log } from '../http/log.ts'
import { paintFor, type Terminal } from './terminal.ts'

/** Trouble always, requests when asked for; on stderr, one line each. */
export const terminalLog = (terminal: Terminal, verbose: boolean): Log => {
  const { dim, red, yellow } = paintFor(terminal)
  const marks = { error: red('error'), warn: yellow('warn '), info: dim('info '), debug: dim('debug') } as const
  return ({ level, event, ...fields }) => {
    if (!verbose && (level === 'info' || level === 'debug')) return
    const rest = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(
        ([key, value]) => `${key}=${typeof value === 'string' && /[\s"]/.test(value) ? JSON.stringify(value) : value}`,
      )
    terminal.error(`${marks[level]} ${event}  ${rest.join(' ')}`)
  }
}
