import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeRedirectPage } from './open-browser.ts'

/** The folder of the browser's profile and of the page that opens it: only their owner can read or predict them. */
export type WindowFolder = {
  readonly path: string
  /** Removes what is temporary; the profile of a data directory stays. */
  remove(): void
}

export const openWindowFolder = (dataDirectory: string | undefined): WindowFolder => {
  if (dataDirectory !== undefined) return { path: dataDirectory, remove: () => removeRedirectPage(dataDirectory) }
  // mkdtemp makes it 0700, with a name that cannot be guessed.
  const path = mkdtempSync(join(tmpdir(), 'handset-window-'))
  return {
    path,
    // If a browser still has a file of it open, the system clears it later with other temporary files.
    remove: () => {
      try {
        rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
      } catch {}
    },
  }
}
