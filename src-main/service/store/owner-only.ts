import { chmodSync, closeSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** The file exists and only its owner can read it, with any mode of the folder; SQLite gives the files beside it the same mode. */
export const ownerOnly = (file: string): string => {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/** Whole or not at all, and readable by its owner only, with any umask. */
export const writeOwnerOnly = (file: string, content: string | Uint8Array): void => {
  writeFileSync(ownerOnly(`${file}.new`), content)
  renameSync(`${file}.new`, file)
}
