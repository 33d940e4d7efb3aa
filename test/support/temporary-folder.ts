import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Goes with the test that asked for it. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
