import { EventEmitter } from 'node:events'
import { platform } from 'node:process'

/** What the test says about the machine on which the shell runs. */
export type Setting = {
  readonly packaged: boolean
  /** The address of a Chromium's DevTools. */
  readonly browser: string
  /** Answers to message boxes, in their order; after the last one a box stays open until the test answers it. */
  readonly answers: readonly number[]
  readonly notifications: 'shown' | 'unsupported' | 'failing'
  /** What macOS says about the screen, and whether a picture of it is given. */
  readonly screenAccess: 'granted' | 'denied' | 'not-determined'
  readonly screenPrompt: 'yes' | 'no'
  readonly tray: 'shown' | 'failing'
  /** How many milliseconds Electron needs until it is ready; a test that acts earlier sets it. */
  readonly readyOnCommand: boolean
  readonly platform: NodeJS.Platform
  readonly failLoads: number
  /** What app.getPreferredSystemLanguages() says. */
  readonly languages: readonly string[]
}

export const GOOD: Setting = {
  packaged: false,
  browser: '',
  answers: [],
  notifications: 'shown',
  screenAccess: 'granted',
  screenPrompt: 'yes',
  tray: 'shown',
  readyOnCommand: false,
  platform,
  failLoads: 0,
  languages: ['en-GB'],
}

export const setting: Setting = { ...GOOD, ...JSON.parse(process.env.ELECTRON_STAND_IN ?? '{}') }

/** One thing that a person, or the system, would see the program do. */
export type Report = { readonly kind: string } & Readonly<Record<string, unknown>>

export const report = (kind: string, details: Readonly<Record<string, unknown>> = {}): void => {
  if (process.connected) process.send?.({ kind, ...details })
}

/** What the test, as the person or the system, does to the program. */
export type Command = { readonly do: string } & Readonly<Record<string, unknown>>

export const commands = new EventEmitter()

let ready = false
export const isReady = (): boolean => ready
export const becomeReady = (): void => {
  ready = true
}
