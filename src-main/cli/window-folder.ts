import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeRedirectPage } from './open-browser.ts'

/** Where the browser's profile and the page that opens it are: only their owner can read or predict them. */
export type WindowFolder = {
  readonly path: string
  /** What is temporary goes; the profile of a data directory stays. */
  remove(): void
}

export const openWindowFolder = (dataDirectory: string | undefined): WindowFolder => {
  if (dataDirectory !== undefined) return { path: dataDirectory, remove: () => removeRedirectPage(dataDirectory) }
  // mkdtemp makes it 0700, with a name that cannot be guessed.
  const path = mkdtempSync(join(tmpdir(), 'handset-window-'))
  return {
    path,
    // Where a browser still holds a file of it, the system's own clearing of temporary files is left to do it.
    remove: () => {
      try {
        rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
      } catch {}
    },
  }
}
