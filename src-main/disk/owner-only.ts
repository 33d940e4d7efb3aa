import { chmodSync, closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Creates the file if missing and lets only its owner read it; SQLite gives its other files the same mode. */
export const ensureOwnerOnly = (file: string): string => {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/** Replaces the file atomically, readable only by its owner, whatever the umask. */
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

/** Creates a new file in place of any existing one; a link is removed, not followed. */
export const openNew = (file: string, mode = 0o600): number => {
  rmSync(file, { force: true })
  return openSync(file, 'wx', mode)
}
