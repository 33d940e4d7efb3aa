import { chmodSync, closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Creates the file if missing, readable for its owner only; SQLite's other files get the same mode. */
export const ownerOnly = (file: string): string => {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/** Whole or not at all, and readable by its owner only, with any umask. */
export const writeOwnerOnly = (file: string, content: string | Uint8Array): void => {
  const draft = openNew(`${file}.new`)
  try {
    fchmodSync(draft, 0o600)
    writeFileSync(draft, content)
  } finally {
    closeSync(draft)
  }
  renameSync(`${file}.new`, file)
}

/** Creates a file: an existing one under its name, a link above all, is neither written nor followed. */
export const openNew = (file: string, mode = 0o600): number => {
  rmSync(file, { force: true })
  return openSync(file, 'wx', mode)
}
