import { chmodSync, closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Creates the file if it is missing. Only its owner may read it; SQLite's -wal and -shm files get the same mode. */
export const ensureOwnerOnly = (file: string): string => {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/** Atomic, and readable only by the owner, whatever the umask. */
export const writeOwnerOnly = (file: string, content: string | Uint8Array): void => {
  const draft = openReplacement(`${file}.new`)
  try {
    fchmodSync(draft, 0o600)
    writeFileSync(draft, content)
  } finally {
    closeSync(draft)
  }
  renameSync(`${file}.new`, file)
}

/** Replaces an existing file; a link is removed, not followed. */
export const openReplacement = (file: string, mode = 0o600): number => {
  rmSync(file, { force: true })
  return openSync(file, 'wx', mode)
}
