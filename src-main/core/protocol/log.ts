/** A failure, as a code. Its sentence is made where the line is written. */
type Problem = { readonly code: string; readonly params?: unknown }

/** One line of the structured log, without any secret. */
export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  readonly problem?: Problem | undefined
  readonly [field: string]: string | number | boolean | undefined | Problem
}

export type Log = (line: LogLine) => void

export const silentLog: Log = () => {}

/** Replaces a secret in logs, events and errors. */
export const MASK = '•••'
