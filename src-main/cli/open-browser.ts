import { spawn } from 'node:child_process'
import type { Environment } from './command.ts'
import { hasDisplay, onPath } from './machine.ts'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // Through cmd, `&` in an address would end the command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** The program that opens the default browser, where there is one and a display to show it on. */
export const browserOpener = (environment: Pick<Environment, 'env' | 'platform'>): readonly string[] | undefined => {
  const opener = OPENERS[environment.platform]
  const [program] = opener ?? []
  if (program === undefined || !hasDisplay(environment)) return undefined
  return environment.platform === 'win32' || onPath(program, environment) !== undefined ? opener : undefined
}

export const openBrowser = (url: string, environment: Pick<Environment, 'env' | 'platform'>): boolean => {
  const [program, ...args] = browserOpener(environment) ?? []
  if (program === undefined) return false
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
  return true
}
