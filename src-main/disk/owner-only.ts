import { chmodSync, closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Only its owner may read the file; SQLite gives its other files the same mode. */
export const ensureOwnerOnly = (file: string): string => {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/** Atomic, and readable only by the owner, whatever the umask. */
export const writeOwnerOnly = (file: string, content: string | Uint8Array): void => {
  const draft = openReplacedFile(`${file}.new`)
  try {
    fchmodSync(draft, 0o600)
    writeFileSync(draft, content)
  } finally {
    closeSync(draft)
  }
  renameSync(`${file}.new`, file)
}

/** Replaces an existing file; a link is removed, not followed. */
export const openReplacedFile = (file: string, mode = 0o600): number => {
  rmSync(file, { force: true })
  return openSync(file, 'wx', mode)
}
