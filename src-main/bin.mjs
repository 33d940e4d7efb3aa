#!/usr/bin/env node
// Read by whatever Node is there, so: plain JavaScript, and nothing imported before the version is known to do.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WANTED = 24
const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(here)

if (Number(process.versions.node.split('.')[0]) >= WANTED) {
  const built = join(root, 'out/main/cli.js')
  await import(
    existsSync(built) ? new URL('../out/main/cli.js', import.meta.url) : new URL('./cli.ts', import.meta.url)
  )
} else {
  const pinned = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(pinned)) {
    console.error(
      `handset: this is Node ${process.versions.node}; it needs Node ${WANTED} or later, and npm install brings one.`,
    )
    process.exit(1)
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)))
}
