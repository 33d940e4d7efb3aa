#!/usr/bin/env node
// Any Node may read this file, so it is plain JavaScript and imports nothing before the version is checked.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endEarly, STOPPED, STOPPED_EARLY } from './cli/launch/early-end.mjs'
import { isBuilt } from './cli/launch/is-built.mjs'
import { isRecentNode, pinnedNode, TOO_OLD } from './cli/launch/recent-node.mjs'

endEarly()

const self = fileURLToPath(import.meta.url)
const root = dirname(dirname(self))

if (isRecentNode) {
  await import(isBuilt(root) ? new URL('../out/main/cli.js', import.meta.url).href : './cli.ts')
} else {
  const pinned = pinnedNode(root)
  if (pinned === undefined) {
    console.error(TOO_OLD)
    process.exit(1)
  }
  const child = spawn(pinned, [self, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.on('SIGINT', () => child.kill('SIGINT'))
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => {
    // The child was killed before it could print this itself.
    if (signal === 'SIGINT') console.error(STOPPED_EARLY)
    process.exit(code ?? (signal === null ? 1 : STOPPED))
  })
}
