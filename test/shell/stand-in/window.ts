import { EventEmitter } from 'node:events'
import type * as Electron from 'electron'
import { life, preventable, windows } from './app.ts'
import { commands, isReady, refuse, report, setting } from './machine.ts'

let loadsToFail = setting.failLoads

class WebContents extends EventEmitter {
  url = ''

  getURL(): string {
    return this.url
  }

  async executeJavaScript(script: string): Promise<unknown> {
    report('script', { script })
    return true
  }

  setWindowOpenHandler(_handler: unknown): void {}
}

let lastId = 0

/** A window without a page: its address is fetched, and nothing is drawn. */
export class BrowserWindow extends EventEmitter {
  readonly id = ++lastId
  readonly webContents = new WebContents()
  #visible: boolean
  #destroyed = false
  readonly #bounds: Electron.Rectangle

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super()
    if (!isReady()) refuse('Cannot create BrowserWindow before app is ready')
    const { x = 80, y = 60, width = 800, height = 600, show = true } = options
    this.#bounds = { x, y, width, height }
    this.#visible = show
    windows.add(this)
    report('window', { id: this.id, options })
    commands.on('window', this.#heard)
  }

  readonly #heard = ({ action }: { action: string }): void => {
    if (action === 'close') this.close()
  }

  #alive(): void {
    if (this.#destroyed) refuse('Object has been destroyed')
  }

  async loadURL(url: string): Promise<void> {
    this.#alive()
    this.webContents.url = url
    if (loadsToFail > 0) {
      loadsToFail -= 1
      // electron:api/browser-window, win.loadURL(): rejects with Chromium's code when did-fail-load is emitted.
      throw Object.assign(new Error(`ERR_CONNECTION_REFUSED loading '${url}'`), { code: 'ERR_CONNECTION_REFUSED' })
    }
    await fetch(url)
    if (this.#destroyed) return
    for (const event of setting.pageEvents) {
      if (event === 'did-finish-load') this.webContents.emit('did-finish-load')
      else this.emit('ready-to-show')
    }
    report('loaded', { id: this.id, url })
  }

  show(): void {
    this.#alive()
    this.#visible = true
    report('shown', { id: this.id })
  }

  focus(): void {
    this.#alive()
    report('focused', { id: this.id })
  }

  restore(): void {
    this.#alive()
  }

  maximize(): void {
    this.#alive()
  }

  // electron:api/browser-window, win.setOverlayIcon(): 16 x 16 pixels, or null.
  setOverlayIcon(overlay: { isEmpty(): boolean } | null, description: string): void {
    this.#alive()
    report('overlay', { image: overlay?.isEmpty() === false, description })
  }

  isVisible(): boolean {
    this.#alive()
    return this.#visible
  }

  isFocused(): boolean {
    this.#alive()
    return false
  }

  isMinimized(): boolean {
    this.#alive()
    return false
  }

  isMaximized(): boolean {
    this.#alive()
    return false
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  getNormalBounds(): Electron.Rectangle {
    this.#alive()
    return this.#bounds
  }

  close(): void {
    this.#alive()
    const event = preventable({})
    this.emit('close', event)
    if (event.defaultPrevented) life.closeCancelled()
    else this.destroy()
  }

  // electron:api/browser-window, win.destroy(): no close, but closed.
  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    commands.off('window', this.#heard)
    windows.delete(this)
    report('closed', { id: this.id })
    this.emit('closed')
    if (windows.size === 0) life.lastWindowClosed()
  }
}

const defaultSession = {
  webRequest: {
    onBeforeRequest: (_listener: unknown): void => undefined,
    onHeadersReceived: (_listener: unknown): void => undefined,
  },
  setPermissionRequestHandler: (_handler: unknown): void => undefined,
  setPermissionCheckHandler: (_handler: unknown): void => undefined,
}

export const session = {
  get defaultSession() {
    return isReady() ? defaultSession : refuse('Session can only be received when app is ready')
  },
}
