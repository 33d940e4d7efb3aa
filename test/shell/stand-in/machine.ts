import { EventEmitter } from 'node:events'
import { platform } from 'node:process'

/** What the test says about the machine on which the shell runs. */
export type Setting = {
  readonly packaged: boolean
  /** Answers to message boxes, in their order; after the last one a box stays open. */
  readonly answers: readonly number[]
  readonly notifications: 'shown' | 'unsupported' | 'failing'
  /** What macOS says about the screen, and whether a picture of it is given. */
  readonly screenAccess: 'granted' | 'denied' | 'not-determined'
  readonly screenPrompt: 'yes' | 'no'
  readonly tray: 'shown' | 'failing'
  readonly platform: NodeJS.Platform
  readonly failLoads: number
  /** Which of these events a window’s page comes to. */
  readonly pageEvents: readonly ('did-finish-load' | 'ready-to-show')[]
}

export const GOOD: Setting = {
  packaged: false,
  answers: [],
  notifications: 'shown',
  screenAccess: 'granted',
  screenPrompt: 'yes',
  tray: 'shown',
  platform,
  failLoads: 0,
  pageEvents: ['did-finish-load', 'ready-to-show'],
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

/** Electron throws; the message is its own, so that a shell sees what it would see there. */
export const refuse = (message: string): never => {
  throw new Error(message)
}
