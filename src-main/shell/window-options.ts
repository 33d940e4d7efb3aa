import type { BrowserWindowConstructorOptions } from 'electron'
import { type Placement, SMALLEST } from './place-window.ts'
import { texts } from './texts.ts'

/** The page is an ordinary web page: it gets no Node, no shared world and no way around the sandbox. */
const LOCKED = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  spellcheck: false,
} as const

export const windowOptions = ({
  preload,
  placement: { maximised: _, ...bounds },
  devTools,
}: {
  readonly preload: string
  readonly placement: Placement
  readonly devTools: boolean
}): BrowserWindowConstructorOptions => ({
  ...bounds,
  minWidth: SMALLEST.width,
  minHeight: SMALLEST.height,
  title: texts.product,
  backgroundColor: '#E9ECEF',
  show: false,
  webPreferences: {
    preload,
    ...LOCKED,
    devTools,
  },
})

/** The speaker's notes: as locked, and without the preload script. */
export const notesOptions: BrowserWindowConstructorOptions = {
  minWidth: SMALLEST.width,
  title: texts.product,
  backgroundColor: '#E9ECEF',
  autoHideMenuBar: true,
  webPreferences: { ...LOCKED, devTools: false },
}
