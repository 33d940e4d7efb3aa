/** One line of the structured log. It never holds a secret. */
export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  readonly [field: string]: string | number | boolean | undefined
}

export type Log = (line: LogLine) => void

export const silent: Log = () => {}
