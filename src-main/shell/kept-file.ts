import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Content of a shell file; users may have edited it, so its members are read as unknown. */
export const readKept = (file: string): Readonly<Record<string, unknown>> => {
  try {
    return asRecord(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}

/** Atomic. A failed write is ignored: the file is a convenience. */
export const writeKept = (file: string, value: object): void => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(`${file}.new`, { force: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(`${file}.new`, file)
  } catch {}
}

export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
