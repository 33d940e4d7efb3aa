import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wireOf } from './fuses.ts'

/** A folder in place of Electron's distribution for Linux: what electron-builder looks for in it, and a program with fuses to set. */
export const writeStubElectron = (folder: string, version: string): void => {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  mkdirSync(join(folder, 'locales'))
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox']) writeFileSync(join(folder, name), name)
  writeFileSync(join(folder, 'version'), version)
  // As Electron is delivered (electron:tutorial/fuses): every one at its default.
  writeFileSync(
    join(folder, 'electron'),
    Buffer.concat([Buffer.alloc(100, 7), wireOf('10110010'), Buffer.alloc(100, 7)]),
    { mode: 0o755 },
  )
}
