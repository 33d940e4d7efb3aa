import type { BrowserWindowConstructorOptions } from 'electron'

/** The page is an ordinary web page: it gets no Node, no shared world and no way around the sandbox. */
export const windowOptions = (preload: string): BrowserWindowConstructorOptions => ({
  width: 1440,
  height: 900,
  minWidth: 390,
  minHeight: 600,
  title: 'Handset',
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
  },
})
