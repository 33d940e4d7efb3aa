import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Electron from 'electron'
import { becomeReady, commands, isReady, refuse, report, setting } from './machine.ts'

/** As much of a window as ending needs. */
export type Closable = { close(): void; destroy(): void }

/** Electron's list of windows: it tells the program when the last one is gone. */
export const windows = new Set<Closable>()

/** An event that a listener may prevent. */
export const preventable = <T extends object>(details: T) => {
  let prevented = false
  return {
    ...details,
    preventDefault: (): void => {
      prevented = true
    },
    get defaultPrevented(): boolean {
      return prevented
    },
  }
}

/** What the other parts of the stand-in tell the program; Electron's own `app` has none of it. */
export const life = {
  becomeReady: (): void => undefined,
  lastWindowClosed: (): void => undefined,
  closeCancelled: (): void => undefined,
}

class App extends EventEmitter {
  readonly #paths = new Map<string, string>()
  readonly #ready = Promise.withResolvers<void>()
  #quitting = false
  #exiting = false
  #shutDown = false
  #exitCode = 0
  #relaunch: Electron.RelaunchOptions | undefined
  constructor() {
    super()
    life.becomeReady = () => this.#becomeReady()
    life.lastWindowClosed = () => this.#lastWindowClosed()
    // Browser::OnWindowCloseCancelled.
    life.closeCancelled = () => {
      this.#quitting = false
    }
  }

  readonly commandLine = {
    hasSwitch: (name: string): boolean => {
      const end = process.argv.indexOf('--')
      // base::CommandLine: what stands behind -- is no switch.
      const switches = end < 0 ? process.argv : process.argv.slice(0, end)
      return switches.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
    },
  }

  get isPackaged(): boolean {
    return setting.packaged
  }

  isReady(): boolean {
    return isReady()
  }

  whenReady(): Promise<void> {
    return this.#ready.promise
  }

  getPath(name: string): string {
    const known = this.#paths.get(name) ?? (name === 'userData' ? mkdtempSync(join(tmpdir(), 'stand-in-')) : undefined)
    if (known === undefined) throw new Error(`Failed to get '${name}' path`)
    this.#paths.set(name, known)
    return known
  }

  setPath(name: string, path: string): void {
    if (!existsSync(path)) refuse('Failed to set path')
    this.#paths.set(name, path)
  }

  setName(_name: string): void {}

  setAppUserModelId(_id: string): void {}

  setToastActivatorCLSID(_id: string): void {}

  getApplicationNameForProtocol(): string {
    return ''
  }

  setAsDefaultProtocolClient(protocol: string, path?: string, args?: string[]): boolean {
    report('protocol', { protocol, path, args })
    return true
  }

  // electron:api/app, app.setAppLogsPath(): ~/Library/Logs on macOS, else inside the user data directory.
  setAppLogsPath(path = join(this.getPath('userData'), 'logs')): void {
    this.#paths.set('logs', path)
  }

  getPreferredSystemLanguages(): string[] {
    return ['en-GB']
  }

  setAboutPanelOptions(_options: Electron.AboutPanelOptionsOptions): void {}

  setBadgeCount(_count?: number): boolean {
    return true
  }

  enableSandbox(): void {
    if (isReady()) refuse('app.enableSandbox() can only be called before app is ready')
    report('sandbox')
  }

  requestSingleInstanceLock(_additionalData?: Record<string, unknown>): boolean {
    return true
  }

  relaunch(options?: Electron.RelaunchOptions): void {
    this.#relaunch = options ?? { args: process.argv.slice(1) }
  }

  // shell/browser/browser.cc, Browser::Quit.
  quit(): void {
    if (this.#quitting) return
    const event = preventable({})
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    this.#quitting = true
    if (windows.size === 0) this.#notifyAndShutDown()
    else for (const window of windows) window.close()
  }

  // Browser::Exit: neither before-quit nor will-quit, and windows are destroyed without being asked.
  exit(code = 0): void {
    this.#exitCode = code
    this.#quitting = true
    this.#exiting = true
    if (windows.size === 0) this.#end()
    else for (const window of [...windows]) window.destroy()
  }

  // Browser::OnWindowAllClosed.
  #lastWindowClosed(): void {
    if (this.#exiting) this.#end()
    else if (this.#quitting) this.#notifyAndShutDown()
    // electron:api/app, window-all-closed: who does not listen is quit.
    else if (!this.emit('window-all-closed')) this.quit()
  }

  #becomeReady(): void {
    if (isReady() || this.#shutDown) return
    becomeReady()
    report('ready')
    this.#ready.resolve()
    this.emit('ready', preventable({}), {})
  }

  #notifyAndShutDown(): void {
    if (this.#shutDown) return
    const event = preventable({})
    this.emit('will-quit', event)
    if (event.defaultPrevented) this.#quitting = false
    else this.#end()
  }

  #end(): void {
    if (this.#shutDown) return
    this.#shutDown = true
    this.emit('quit', preventable({}), this.#exitCode)
    report('exit', { code: this.#exitCode, relaunch: this.#relaunch?.args })
    process.exit(this.#exitCode)
  }
}

export const app = new App()

commands.on('open-url', ({ url }: { url: string }) => {
  const event = preventable({})
  app.emit('open-url', event, url)
  report('opened-url', { prevented: event.defaultPrevented })
})
// electron:api/app, open-file: macOS, and only a prevented one is taken care of.
commands.on('open-file', ({ path }: { path: string }) => {
  const event = preventable({})
  app.emit('open-file', event, path)
  report('opened-file', { prevented: event.defaultPrevented })
})
commands.on('activate', () => app.emit('activate', preventable({}), windows.size > 0))
commands.on('quit-and-second-instance', ({ data }: { data: unknown }) => {
  app.quit()
  app.emit('second-instance', preventable({}), process.argv, process.cwd(), data)
})
// shell/browser/electron_browser_main_parts_posix.cc: each of these signals quits as app.quit() does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => app.quit())
  commands.on(signal, () => app.quit())
}
