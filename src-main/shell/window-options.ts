import type { BrowserWindowConstructorOptions } from 'electron'
import { type Placement, SMALLEST } from './place-window.ts'
import { texts } from './texts.ts'

/** The page is an ordinary web page: it gets no Node, no shared world and no way around the sandbox. */
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
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    spellcheck: false,
    devTools,
  },
})
