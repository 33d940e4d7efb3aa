import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canSandbox } from './chromium-sandbox.ts'
import type { Environment } from './command.ts'
import { hasDisplay, onPath } from './machine.ts'
import { browserOpener } from './open-browser.ts'

/** What can show the page, and why this one. */
export type WindowHost =
  | { readonly kind: 'electron'; readonly program: string; readonly why: string }
  | { readonly kind: 'app-window'; readonly program: string; readonly name: string; readonly why: string }
  | { readonly kind: 'browser'; readonly why: string }
  | { readonly kind: 'none'; readonly why: string }

type Surroundings = Pick<Environment, 'env' | 'platform' | 'root'> & {
  readonly isRoot: boolean
  /** Where the kernel's settings are, if not where Linux has them. */
  readonly settings?: string
}

/** The first that works. Electron is looked for as a file: asking its package for it would download it. */
export const chooseWindowHost = (surroundings: Surroundings): WindowHost => {
  if (!hasDisplay(surroundings)) return { kind: 'none', why: 'there is no display' }
  // As root, Chromium's sandbox does not start, and without it nothing of ours does.
  if (surroundings.isRoot) {
    return browserOpener(surroundings) === undefined
      ? { kind: 'none', why: 'this is root, for whom Chromium has no sandbox, and there is no other browser' }
      : { kind: 'browser', why: 'this is root, for whom Chromium has no sandbox' }
  }
  const electron = electronProgram(surroundings)
  const sandboxed = electron !== undefined && canSandbox(electron, surroundings)
  if (electron !== undefined && sandboxed) return { kind: 'electron', program: electron, why: 'Electron is installed' }
  const noElectron =
    electron === undefined
      ? 'Electron is not installed'
      : 'this system denies Electron its sandbox (unprivileged namespaces)'
  const chromium = chromiumProgram(surroundings)
  if (chromium !== undefined) return { kind: 'app-window', ...chromium, why: noElectron }
  return browserOpener(surroundings) === undefined
    ? { kind: 'none', why: `${noElectron}, and there is no browser` }
    : { kind: 'browser', why: `${noElectron}, and there is no Chromium` }
}

const electronProgram = ({ root }: Surroundings): string | undefined => {
  const folder = join(root, 'node_modules/electron')
  const named = join(folder, 'path.txt')
  if (!existsSync(named) || !existsSync(join(root, 'out/main/index.js'))) return undefined
  const program = join(folder, 'dist', readFileSync(named, 'utf8').trim())
  return existsSync(program) ? program : undefined
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
