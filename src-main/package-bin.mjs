#!/usr/bin/env node
// The command of the npm package. Read by whatever Node is there, so: plain JavaScript, and nothing else imported before its version is known.
import { endEarly } from './early-end.mjs'

endEarly()

// Older ones do not refuse better-sqlite3, they crash with it: it needs Node-API 10.
if (Number(process.versions.napi) >= 10) {
  await import(new URL('./out/main/cli.js', import.meta.url).href)
} else {
  const { node } = process.versions
  console.error(
    `handset: this is Node ${node}; it needs Node 22.14, 24 or later. Install one, such as those on nodejs.org.`,
  )
  process.exit(1)
}
