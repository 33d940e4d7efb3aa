import { EventEmitter } from 'node:events'
import type * as Electron from 'electron'
import { life, preventable, windows } from './app.ts'
import { commands, isReady, report, setting } from './machine.ts'
import { offer, offerClass } from './noted.ts'
import { Page } from './page.ts'
import { runPreload } from './preload-world.ts'
import { refuse } from './rules.ts'
import { askBeforeUse, type Navigation, passRequests } from './session.ts'

let loadsToFail = setting.failLoads

type Asked = { readonly url: string; readonly frameName: string }

type OpenHandler = (asked: Asked) => {
  readonly action: 'allow' | 'deny'
  readonly overrideBrowserWindowOptions?: Electron.BrowserWindowConstructorOptions
}

class WebContents extends EventEmitter {
  #page: Page | undefined
  #programmatic = 0
  #openHandler: OpenHandler | undefined

  getURL(): string {
    return this.#page?.url() ?? ''
  }

  // electron:api/web-contents, contents.executeJavaScript(): in the page's own world; what it throws rejects.
  async executeJavaScript(expression: string): Promise<unknown> {
    if (this.#page === undefined) return refuse('window.destroyed')
    const how = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await this.#page.session.send('Runtime.evaluate', how)
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
    return result.value
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  static async attach(contents: WebContents, page: Page, preload: string | undefined): Promise<void> {
    contents.#page = page
    if (preload !== undefined) {
      // electron:api/web-contents, preload-error: the page is shown without it.
      await runPreload(page.session, preload).catch((error: unknown) =>
        contents.emit('preload-error', {}, preload, error),
      )
    }
    await askBeforeUse(contents, page, (asked) => contents.#opened(asked))
    page.on('popup', (url) => contents.#opened({ url, frameName: '' }))
    await passRequests(page, (to) => contents.#mayNavigate(to))
  }

  static async load(contents: WebContents, page: Page, url: string): Promise<void> {
    contents.#programmatic += 1
    try {
      if (loadsToFail > 0) {
        loadsToFail -= 1
        throw new Error('net::ERR_CONNECTION_REFUSED')
      }
      await page.goto(url)
    } catch (reason) {
      // electron:api/browser-window, win.loadURL(): rejects with Chromium's code when did-fail-load is emitted.
      const code = /ERR_[A-Z_]+/.exec(String(reason))?.[0] ?? 'ERR_ABORTED'
      contents.emit('did-fail-load', preventable({}), code === 'ERR_ABORTED' ? -3 : -2, code, url, true)
      throw Object.assign(new Error(`${code} loading '${url}'`), { code, url })
    } finally {
      contents.#programmatic -= 1
    }
    contents.emit('did-finish-load')
  }

  // electron:api/web-contents, will-navigate: not for what loadURL began, nor within the page.
  #mayNavigate({ url, isRedirect }: Navigation): boolean {
    if (this.#programmatic > 0 && !isRedirect) return true
    const event = preventable({ url, isMainFrame: true, isSameDocument: false })
    this.emit(isRedirect ? 'will-redirect' : 'will-navigate', event, url)
    report('navigation', { url, prevented: event.defaultPrevented })
    return !event.defaultPrevented
  }

  #opened(asked: Asked): void {
    const { action, overrideBrowserWindowOptions } = this.#openHandler?.(asked) ?? { action: 'allow' }
    report('open', { url: asked.url, action })
    if (action === 'deny') return
    const child = new OwnWindow(overrideBrowserWindowOptions, 'page')
    // electron:api/web-contents, did-create-window: when the window is there, before its page is.
    this.emit('did-create-window', child, asked)
    child.loadURL(asked.url).catch(() => undefined)
  }
}

offer('WebContents', WebContents.prototype)

let scheme: 'light' | 'dark' | null = null

let lastId = 0

class OwnWindow extends EventEmitter {
  readonly id = ++lastId
  readonly webContents: WebContents = new WebContents()
  #page: Promise<Page>
  #bounds: Electron.Rectangle
  #visible: boolean
  #focused = false
  #maximized = false
  #minimized = false
  #destroyed = false

  constructor(options: Electron.BrowserWindowConstructorOptions = {}, madeBy: 'program' | 'page' = 'program') {
    super()
    if (!isReady()) refuse('window.ready')
    const { x = 80, y = 60, width = 800, height = 600, show = true, webPreferences = {} } = options
    this.#bounds = { x, y, width, height }
    this.#visible = show
    windows.add(this)
    this.#page = this.#open(webPreferences.preload)
    this.#page.catch(() => undefined)
    report('window', { id: this.id, options })
    // The desk's commands are for the window that the program made.
    if (madeBy === 'program') commands.on('window', this.#heard)
  }

  async #open(preload: string | undefined): Promise<Page> {
    const page = await Page.open(this.#bounds)
    await page.paint(scheme)
    await WebContents.attach(this.webContents, page, preload)
    page.on('crash', () => {
      this.#page = this.#open(preload)
      void page.close().catch(() => undefined)
      // electron:api/structures/render-process-gone-details.
      this.webContents.emit('render-process-gone', preventable({}), { reason: 'crashed', exitCode: 5 })
      report('gone', { id: this.id })
    })
    page.on('page-error', (message) => report('page-error', { message }))
    return page
  }

  readonly #heard = ({ action, bounds }: { action: string; bounds?: Electron.Rectangle }): void => {
    if (action === 'close') this.close()
    if (action === 'crash') void this.#page.then((page) => page.crash())
    if (action === 'minimize') this.#minimized = true
    if (action === 'maximize') this.#maximized = true
    if (action === 'blur') this.#focused = false
    if (action === 'focus') this.#focused = true
    if (action === 'move' && bounds !== undefined) this.#bounds = bounds
  }

  #alive(): void {
    if (this.#destroyed) refuse('window.destroyed')
  }

  async loadURL(url: string): Promise<void> {
    this.#alive()
    const page = await this.#page
    await WebContents.load(this.webContents, page, url)
    // electron:api/browser-window, ready-to-show: when the page was rendered for the first time; an error page is none.
    if (!this.#destroyed) this.emit('ready-to-show')
    report('loaded', { id: this.id, url })
  }

  show(): void {
    this.#alive()
    this.#visible = true
    this.focus()
    report('shown', { id: this.id })
    this.emit('show')
  }

  focus(): void {
    this.#alive()
    this.#focused = true
    report('focused', { id: this.id })
  }

  restore(): void {
    this.#alive()
    this.#minimized = false
    report('restored', { id: this.id })
  }

  maximize(): void {
    this.#alive()
    this.#maximized = true
    // electron:api/browser-window, win.maximize(): also shows it.
    this.#visible = true
    report('maximized', { id: this.id })
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
    return this.#focused && this.#visible && !this.#minimized
  }

  isMinimized(): boolean {
    this.#alive()
    return this.#minimized
  }

  isMaximized(): boolean {
    this.#alive()
    return this.#maximized
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  getNormalBounds(): Electron.Rectangle {
    this.#alive()
    return this.#bounds
  }

  close(): void {
    if (this.#destroyed) return
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
    void this.#page.then((page) => page.close()).catch(() => undefined)
    windows.delete(this)
    report('closed', { id: this.id })
    this.emit('closed')
    if (windows.size === 0) life.lastWindowClosed()
  }

  static async paint(colorScheme: typeof scheme): Promise<void> {
    scheme = colorScheme
    for (const each of windows) if (each instanceof OwnWindow) await (await each.#page).paint(colorScheme)
  }

  /** What stands on the screen: the picture of the newest window that is shown. */
  static async picture(type: 'png' | 'jpeg'): Promise<Buffer> {
    const shown = [...windows].filter((each): each is OwnWindow => each instanceof OwnWindow).at(-1)
    return shown === undefined || !shown.#visible ? Buffer.alloc(0) : (await shown.#page).screenshot(type)
  }
}

export const BrowserWindow = offerClass('BrowserWindow', OwnWindow)
