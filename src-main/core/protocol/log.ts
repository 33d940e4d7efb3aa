import type { AnyCoded } from './coded.ts'

/** One line of the structured log, without any secret. */
export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  /** Its sentence is made where the line is written. */
  readonly problem?: AnyCoded | undefined
  readonly [field: string]: string | number | boolean | undefined | AnyCoded
}

export type Log = (line: LogLine) => void

export const silentLog: Log = () => {}

/** Replaces a secret in logs, events and errors. */
export const MASK = '•••'
