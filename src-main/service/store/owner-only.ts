import { chmodSync, closeSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** The file is there and its owner's alone, whatever the folder allows; SQLite gives what it puts beside it the same mode. */
export const ownerOnly = (file: string): string => {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/** Whole or not at all, and its owner's alone whatever the umask is. */
export const writeOwnerOnly = (file: string, content: string | Uint8Array): void => {
  writeFileSync(ownerOnly(`${file}.new`), content)
  renameSync(`${file}.new`, file)
}
