import type { App } from 'electron'
import { LINK_SCHEME } from './handset-link.ts'
import { readJsonFile, writeJsonFile } from './shell-state.ts'

/**
 * Windows writes name, model and activator into a Start Menu entry at the first notification. A checkout uses different
 * values: otherwise the entry of an installed Handset would start the checkout’s Electron.
 */
export const APP_IDENTITY = {
  packaged: { name: 'Handset', model: 'local.handset.desktop', activator: '{13153EF4-5B2F-4B9D-8FFB-217D8088E161}' },
  checkout: { name: 'Handset Checkout', model: 'local.handset.checkout' },
} as const

export const setAppIdentity = (app: App): void => {
  const { name, model } = APP_IDENTITY[app.isPackaged ? 'packaged' : 'checkout']
  app.setName(name)
  app.setAppUserModelId(model)
  // Without this call, Electron registers a random activator at each start. Only newer Electron on Windows has it.
  if (app.isPackaged) app.setToastActivatorCLSID?.(APP_IDENTITY.packaged.activator)
}

type Registration = { readonly version: string; readonly program: string; readonly file: string }

/** Registers if no program handles the links, or once per version and program path: the user's later choice stays. */
export const registerLinks = (app: App, { version, program, file }: Registration): void => {
  const { v, ...kept } = readJsonFile(file)
  const isKept = v === 1 && kept.version === version && kept.program === program
  if (app.getApplicationNameForProtocol(`${LINK_SCHEME}:`) !== '' && isKept) return
  // On Windows, Electron refuses arguments after one that looks like a link, unless `--` precedes them all.
  app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--'])
  writeJsonFile(file, { v: 1, version, program })
}
