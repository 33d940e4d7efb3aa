#!/usr/bin/env node
// The command of the npm package. Any Node may read this file: plain JavaScript that imports nothing before the version is checked.
import { endEarly } from './early-end.mjs'

endEarly()

// An older Node does not refuse better-sqlite3, which needs Node-API 10: it crashes.
if (Number(process.versions.napi) >= 10) {
  await import(new URL('./out/main/cli.js', import.meta.url).href)
} else {
  const { node } = process.versions
  console.error(
    `handset: this is Node ${node}; it needs Node 22.14, 24 or later. Run "npm i -D node@24", or install one of nodejs.org.`,
  )
  process.exit(1)
}
