import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const make = (): string => mkdtempSync(join(tmpdir(), 'handset-test-'))
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Goes with the test that asked for it. */
export const temporaryFolder = (): string => {
  const folder = make()
  onTestFinished(() => remove(folder))
  return folder
}

/** Goes with the file that asked for it, outside of any test. */
export const folderOfFile = (): string => {
  const folder = make()
  afterAll(() => remove(folder))
  return folder
}
