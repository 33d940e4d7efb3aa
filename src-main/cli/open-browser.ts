import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { orNothing } from '../core/protocol/result.ts'
import { writeOwnerOnly } from '../disk/owner-only.ts'
import { findOnPath, hasDisplay, type Machine } from './command.ts'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // Through cmd, `&` in an address would end the command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

export const browserOpener = (environment: Machine): readonly string[] | undefined => {
  const [name, ...args] = OPENERS[environment.platform] ?? []
  if (name === undefined || !hasDisplay(environment)) return undefined
  const program = environment.platform === 'win32' ? name : findOnPath(name, environment)
  return program === undefined ? undefined : [program, ...args]
}

/** The address contains a one-time code, so the browser gets a file in the owner's folder that redirects to it. */
export const openBrowser = (
  address: string,
  { folder, environment }: { readonly folder: string; readonly environment: Machine },
): boolean => {
  const [program, ...args] = browserOpener(environment) ?? []
  if (program === undefined) return false
  const child = spawn(program, [...args, writeRedirectPage(folder, address)], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
  return true
}

/** Every user of the machine can see a browser's arguments, but only the owner can read this file. */
export const writeRedirectPage = (folder: string, address: string): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, REDIRECT_PAGE)
  const target = new URL(address).href.replace(/[&"'<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  writeOwnerOnly(
    file,
    `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${target}">
<title>Handset</title>
<a href="${target}">Open Handset</a>
`,
  )
  return pathToFileURL(file).href
}

const REDIRECT_PAGE = 'open.html'

/**
 * The folder of the browser's profile and of the page that opens it: only their owner can read or predict them. `remove`
 * deletes temporary files; the profile in a data directory stays.
 */
export const openWindowFolder = (dataDirectory: string | undefined) => {
  if (dataDirectory !== undefined)
    return { path: dataDirectory, remove: () => rmSync(join(dataDirectory, REDIRECT_PAGE), { force: true }) }
  // mkdtemp makes it 0700, with a name that cannot be guessed.
  const path = mkdtempSync(join(tmpdir(), 'handset-window-'))
  return {
    path,
    // If a browser still has a file open here, the system removes the folder later, like other temporary files.
    remove: () => orNothing(() => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })),
  }
}
