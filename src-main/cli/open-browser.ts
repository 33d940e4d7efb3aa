import { spawn } from 'node:child_process'
import type { Environment } from './command.ts'
import { hasDisplay, onPath } from './machine.ts'
import { writeRedirectPage } from './redirect-page.ts'

type Machine = Pick<Environment, 'env' | 'platform'>

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // Through cmd, `&` in an address would end the command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** The program that opens the default browser, where there is one and a display to show it on. */
export const browserOpener = (environment: Machine): readonly string[] | undefined => {
  const [name, ...args] = OPENERS[environment.platform] ?? []
  if (name === undefined || !hasDisplay(environment)) return undefined
  const program = environment.platform === 'win32' ? name : onPath(name, environment)
  return program === undefined ? undefined : [program, ...args]
}

/** The address holds a one-time code: the browser is handed a file in the folder, which is its owner's, that leads there. */
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
