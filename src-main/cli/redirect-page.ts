import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeOwnerOnly } from '../disk/owner-only.ts'

/**
 * A page in a file that leads to an address with a one-time code. Every user of the machine can read the arguments of a
 * browser in the list of processes; this file only its owner can.
 */
export const writeRedirectPage = (folder: string, address: string): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'open.html')
  writeOwnerOnly(file, pageTo(address))
  return pathToFileURL(file).href
}

export const removeRedirectPage = (folder: string): void => rmSync(join(folder, 'open.html'), { force: true })

const pageTo = (address: string): string => {
  const target = new URL(address).href.replace(/[&"'<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${target}">
<title>Handset</title>
<a href="${target}">Open Handset</a>
`
}
