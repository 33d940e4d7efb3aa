import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { onPath } from './command.ts'
import { electronProgram, type Surroundings, sandboxObstacle, windowObstacle } from './electron.ts'
import { browserOpener } from './open-browser.ts'

/** The program that shows the page, and why this one. */
export type WindowHost =
  | { readonly kind: 'electron'; readonly program: string; readonly why: string }
  | { readonly kind: 'app-window'; readonly program: string; readonly name: string; readonly why: string }
  | { readonly kind: 'browser'; readonly why: string }
  | { readonly kind: 'none'; readonly why: string }

/** The first that works. */
export const chooseWindowHost = (surroundings: Surroundings): WindowHost => {
  const obstacle = windowObstacle(surroundings)
  if (obstacle !== undefined) {
    const isSeen = surroundings.isRoot === true && browserOpener(surroundings) !== undefined
    return { kind: isSeen ? 'browser' : 'none', why: obstacle }
  }
  const electron = usableElectron(surroundings)
  if (electron.ok) return { kind: 'electron', program: electron.value, why: 'Electron is installed' }
  const chromium = chromiumProgram(surroundings)
  if (chromium !== undefined) return { kind: 'app-window', ...chromium, why: electron.error }
  return browserOpener(surroundings) === undefined
    ? { kind: 'none', why: `${electron.error}, and there is no browser` }
    : { kind: 'browser', why: `${electron.error}, and there is no Chromium` }
}

const usableElectron = (surroundings: Surroundings): Result<string, string> => {
  const { root } = surroundings
  const program = existsSync(join(root, 'out/main/index.js')) ? electronProgram(root) : undefined
  if (program === undefined) return err('Electron is not installed')
  const denied = sandboxObstacle(program, surroundings)
  return denied === undefined ? ok(program) : err(denied)
}

const ON_PATH = [
  ['google-chrome', 'Chrome'],
  ['google-chrome-stable', 'Chrome'],
  ['chromium', 'Chromium'],
  ['chromium-browser', 'Chromium'],
  ['microsoft-edge', 'Edge'],
  ['microsoft-edge-stable', 'Edge'],
] as const

const AS_FILES: Readonly<Partial<Record<NodeJS.Platform, readonly (readonly [string, string])[]>>> = {
  darwin: [
    ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', 'Chrome'],
    ['/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge', 'Edge'],
    ['/Applications/Chromium.app/Contents/MacOS/Chromium', 'Chromium'],
  ],
  win32: [
    ['Google\\Chrome\\Application\\chrome.exe', 'Chrome'],
    ['Microsoft\\Edge\\Application\\msedge.exe', 'Edge'],
  ],
}

const chromiumProgram = (
  surroundings: Surroundings,
): { readonly program: string; readonly name: string } | undefined => {
  const { env, platform } = surroundings
  const folders = platform === 'win32' ? [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA] : ['']
  for (const [file, name] of AS_FILES[platform] ?? []) {
    const program = folders.map((folder) => (folder ? join(folder, file) : file)).find((path) => existsSync(path))
    if (program !== undefined) return { program, name }
  }
  if (platform === 'win32' || platform === 'darwin') return undefined
  for (const [command, name] of ON_PATH) {
    const program = onPath(command, surroundings)
    if (program !== undefined) return { program, name }
  }
  return undefined
}
