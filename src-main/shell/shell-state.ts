import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { orNothing } from '../core/protocol/result.ts'

export type Rectangle = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

export type WindowState = { readonly bounds: Rectangle; readonly maximised: boolean }

const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export type ShellState = { readonly window?: WindowState; readonly keepRunning: boolean; readonly theme: Theme }

export const INITIAL_STATE: ShellState = { keepRunning: false, theme: 'system' }

/** A file that cannot be read as a state is ignored. */
const parseState = (state: Readonly<Record<string, unknown>>): ShellState => {
  if (state.v !== 1) return INITIAL_STATE
  const window = parseWindow(state.window)
  const theme = THEMES.find((name) => name === state.theme) ?? INITIAL_STATE.theme
  return { keepRunning: state.keep_running === true, theme, ...(window === undefined ? {} : { window }) }
}

const parseWindow = (value: unknown): WindowState | undefined => {
  const { bounds, maximised } = asRecord(value)
  const { x, y, width, height } = asRecord(bounds)
  const isGood = (n: unknown): n is number => Number.isInteger(n) && Math.abs(n as number) <= 100_000
  if (!isGood(x) || !isGood(y) || !isGood(width) || !isGood(height) || width < 1 || height < 1) return undefined
  return { bounds: { x, y, width, height }, maximised: maximised === true }
}

export type ShellStateStore = { get(): ShellState; change(by: Partial<ShellState>): void }

export const openShellState = (file: string): ShellStateStore => {
  let state = parseState(readJsonFile(file))
  return {
    get: () => state,
    change: (by) => {
      const { window, keepRunning, theme } = { ...state, ...by }
      state = { ...state, ...by }
      writeJsonFile(file, { v: 1, keep_running: keepRunning, theme, window })
    },
  }
}

/** False on macOS, where programs stay open without a window. */
export const quitsWithWindow = ({ keepRunning }: ShellState, platform: NodeJS.Platform): boolean =>
  !keepRunning && platform !== 'darwin'

const MAX_FOLDERS = 5

/** Recently used data directories, the newest first. */
export type RecentFolders = { list(): readonly string[]; use(folder: string): void; forget(folder: string): void }

/** The file is read on each call, because all instances share it. */
export const keepRecentFolders = (file: string): RecentFolders => {
  const list = (): readonly string[] => {
    const { v, folders } = readJsonFile(file)
    if (v !== 1 || !Array.isArray(folders)) return []
    return folders.filter((folder) => typeof folder === 'string' && isAbsolute(folder)).slice(0, MAX_FOLDERS)
  }
  const without = (folder: string): readonly string[] => list().filter((each) => each !== folder)
  const keep = (folders: readonly string[]): void =>
    writeJsonFile(file, { v: 1, folders: folders.slice(0, MAX_FOLDERS) })
  return { list, use: (folder) => keep([folder, ...without(folder)]), forget: (folder) => keep(without(folder)) }
}

/** Users may have edited the file, so its members are read as unknown. */
export const readJsonFile = (file: string): Readonly<Record<string, unknown>> =>
  asRecord(orNothing(() => JSON.parse(readFileSync(file, 'utf8'))))

/** Writes the file atomically. A failed write is ignored: the file is only a convenience. */
export const writeJsonFile = (file: string, value: object): void => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(`${file}.new`, { force: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(`${file}.new`, file)
  } catch {}
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
