import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type * as Electron from 'electron'
import { app } from './app.ts'
import { commands, isReady, report, setting } from './machine.ts'
import { offer, offerClass } from './noted.ts'
import { refuse } from './rules.ts'
import { BrowserWindow } from './window.ts'

/** Electron's parts of the desktop: everything a person would see is reported, everything a person does is a command. */
class Image {
  readonly #png: Buffer
  readonly #jpeg: Buffer
  constructor(png: Buffer, jpeg: Buffer = png) {
    this.#png = png
    this.#jpeg = jpeg
  }
  isEmpty(): boolean {
    return this.#png.length === 0
  }
  toPNG(): Buffer {
    return this.#png
  }
  toJPEG(_quality: number): Buffer {
    return this.#jpeg
  }
}

offer('NativeImage', Image.prototype)

export const nativeImage = offer('NativeImage', {
  // electron:api/native-image: an empty image where there is no such file.
  createFromPath: (path: string): Image => {
    return new Image(existsSync(path) ? readFileSync(path) : Buffer.alloc(0))
  },
})

type Template = readonly Electron.MenuItemConstructorOptions[]

const labelled = (items: Template): readonly Electron.MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...labelled(Array.isArray(item.submenu) ? item.submenu : [])])

let clickIn: (menu: unknown, label: string) => void

class OwnMenu {
  #items: Template = []

  static buildFromTemplate(template: Template): OwnMenu {
    for (const { role, label, type } of labelled(template)) {
      if (role === undefined && label === undefined && type === undefined) refuse('menu.item')
    }
    const menu = new OwnMenu()
    menu.#items = template
    return menu
  }

  static setApplicationMenu(menu: OwnMenu | null): void {
    commands.removeAllListeners('menu')
    if (menu === null) return
    commands.on('menu', ({ label }: { label: string }) => clickIn(menu, label))
    report('menu', { labels: labelled(menu.#items).flatMap(({ label }) => label ?? []) })
  }

  static {
    clickIn = (menu, label) => {
      const item = labelled((menu as OwnMenu).#items).find((each) => each.label === label)
      if (item === undefined) throw new Error(`no item ${label}`)
      // lib/browser/api/menu-item-roles.ts: the role itself shows the panel.
      if (item.role === 'about') app.showAboutPanel()
      else item.click?.(item as never, undefined, {} as never)
    }
  }
}

export const Menu = offerClass('Menu', OwnMenu)

class OwnTray extends EventEmitter {
  constructor(_image: unknown) {
    super()
    if (!isReady()) refuse('tray.ready')
    if (setting.tray === 'failing') throw new Error('Failed to create tray')
    report('tray')
    commands.on('tray-click', () => this.emit('click'))
  }
  setToolTip(_text: string): void {}
  setContextMenu(menu: unknown): void {
    commands.removeAllListeners('tray')
    if (menu !== null) commands.on('tray', ({ label }: { label: string }) => clickIn(menu, label))
  }
}

export const Tray = offerClass('Tray', OwnTray)

let lastNotification = 0

class OwnNotification extends EventEmitter {
  readonly title: string
  readonly body: string
  readonly #number = ++lastNotification

  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super()
    if (!isReady()) refuse('notification.ready')
    this.title = options.title ?? ''
    this.body = options.body ?? ''
  }

  static isSupported(): boolean {
    return setting.notifications !== 'unsupported'
  }

  show(): void {
    // electron:api/notification, event failed: on Windows, where it could not be shown.
    if (setting.notifications === 'failing') {
      queueMicrotask(() => this.emit('failed', {}, 'not shown'))
      return
    }
    report('notification', { number: this.#number, title: this.title, body: this.body })
    commands.on('notification', ({ number, action }: { number: number; action: 'click' | 'close' }) => {
      if (number === this.#number) this.emit(action, {})
    })
  }
}

export const Notification = offerClass('Notification', OwnNotification)

export const globalShortcut = offer('GlobalShortcut', {
  register: (accelerator: string, pressed: () => void): boolean => {
    if (!isReady()) refuse('shortcut.ready')
    // Registered twice it is refused, as another program's key is.
    if (commands.listenerCount(`key ${accelerator}`) > 0) return false
    commands.on(`key ${accelerator}`, pressed)
    return true
  },
})

export const shell = offer('Shell', {
  openExternal: async (url: string): Promise<void> => {
    report('external', { url })
  },
  // electron:api/shell: resolves to a message where it failed.
  openPath: async (path: string): Promise<string> => {
    report('path', { path })
    return ''
  },
})

let prompted = false

export const systemPreferences = offer('SystemPreferences', {
  getMediaAccessStatus: (_mediaType: 'microphone' | 'camera' | 'screen') => {
    return prompted ? (setting.screenPrompt === 'yes' ? 'granted' : 'denied') : setting.screenAccess
  },
})

/** A screen full of photographs: as PNG it is too large to be sent. */
let photographs = false
commands.on('screen', (shown: { photographs: boolean }) => {
  photographs = shown.photographs
})

export const desktopCapturer = offer('DesktopCapturer', {
  getSources: async (options: { types: string[]; thumbnailSize?: { width: number; height: number } }) => {
    report('capture', { size: options.thumbnailSize })
    if (setting.screenAccess !== 'granted') {
      // electron:api/desktop-capturer: macOS asks the person when a picture is asked for, and not earlier.
      prompted = true
      report('screen-prompt')
      if (setting.screenPrompt === 'no') refuse('capture.denied')
    }
    const png = await BrowserWindow.picture('png')
    const thumbnail = photographs
      ? new Image(Buffer.concat([png, Buffer.alloc(16_000_000)]), await BrowserWindow.picture('jpeg'))
      : new Image(png)
    return [{ id: 'screen:0:0', name: 'Screen 1', display_id: '1', thumbnail }]
  },
})

const area = { x: 0, y: 0, width: 1920, height: 1080 }
const display = { id: 1, bounds: area, workArea: area, size: { width: 1920, height: 1080 }, scaleFactor: 1 }

// lib/browser/api/screen.ts: the first use makes it, which must not be before ready.
const whenReady = <T>(value: T): T => (isReady() ? value : refuse('screen.ready'))

export const screen = offer('Screen', {
  getPrimaryDisplay: () => {
    return whenReady(display)
  },
  getAllDisplays: () => {
    return whenReady([display])
  },
})

let themeSource: 'system' | 'light' | 'dark' = 'system'

export const nativeTheme = offer('NativeTheme', {
  get themeSource() {
    return themeSource
  },
  // electron:api/native-theme: prefers-color-scheme matches it.
  set themeSource(theme) {
    themeSource = theme
    report('theme', { theme })
    void BrowserWindow.paint(theme === 'system' ? null : theme)
  },
})

const answers = [...setting.answers]

export const dialog = offer('Dialog', {
  showMessageBox: async (
    ...args: [Electron.MessageBoxOptions] | [unknown, Electron.MessageBoxOptions]
  ): Promise<Electron.MessageBoxReturnValue> => {
    if (!isReady()) refuse('dialog.ready')
    const { message, detail, buttons } = args.at(-1) as Electron.MessageBoxOptions
    report('message-box', { message, detail, buttons })
    const ready = answers.shift()
    if (ready !== undefined) return { response: ready, checkboxChecked: false }
    return new Promise((resolve) => {
      commands.once('answer', ({ response }: { response: number }) => resolve({ response, checkboxChecked: false }))
    })
  },
  showErrorBox: (title: string, content: string): void => {
    // electron:api/dialog: before ready, on Linux, the text goes to stderr and no window is shown.
    if (!isReady() && setting.platform === 'linux') process.stderr.write(`${title}\n${content}\n`)
    else report('error-box', { title, content })
  },
})
