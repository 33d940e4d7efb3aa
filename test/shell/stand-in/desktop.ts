import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type * as Electron from 'electron'
import { commands, isReady, note, report, setting } from './machine.ts'
import { refuse } from './rules.ts'
import { BrowserWindow } from './window.ts'

/** Electron's parts of the desktop: everything a person would see is reported, everything a person does is a command. */
class Image {
  readonly #png: Buffer
  constructor(png: Buffer) {
    this.#png = png
  }
  isEmpty(): boolean {
    return this.#png.length === 0
  }
  toPNG(): Buffer {
    return this.#png
  }
  toJPEG(_quality: number): Buffer {
    return this.#png
  }
}

export const nativeImage = {
  // electron:api/native-image: an empty image where there is no such file.
  createFromPath: (path: string): Image => {
    note('nativeImage.createFromPath')
    return new Image(existsSync(path) ? readFileSync(path) : Buffer.alloc(0))
  },
}

type Template = readonly Electron.MenuItemConstructorOptions[]

const labelled = (items: Template): readonly Electron.MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...labelled(Array.isArray(item.submenu) ? item.submenu : [])])

let clickIn: (menu: Menu, label: string) => void

export class Menu {
  #items: Template = []

  static buildFromTemplate(template: Template): Menu {
    note('Menu.buildFromTemplate')
    for (const { role, label, type } of labelled(template)) {
      // lib/browser/api/menu-item.ts: an item needs one of these.
      if (role === undefined && label === undefined && type !== 'separator') throw new Error('Invalid menu item')
    }
    const menu = new Menu()
    menu.#items = template
    return menu
  }

  static setApplicationMenu(menu: Menu | null): void {
    note('Menu.setApplicationMenu')
    commands.removeAllListeners('menu')
    if (menu === null) return
    commands.on('menu', ({ label }: { label: string }) => Menu.clickIn(menu, label))
    report('menu', { labels: labelled(menu.#items).flatMap(({ label }) => label ?? []) })
  }

  private static clickIn(menu: Menu, label: string): void {
    const item = labelled(menu.#items).find((each) => each.label === label)
    if (item === undefined) throw new Error(`no item ${label}`)
    item.click?.(item as never, undefined, {} as never)
  }

  static {
    clickIn = Menu.clickIn
  }
}

export class Tray extends EventEmitter {
  constructor(_image: unknown) {
    super()
    note('Tray')
    if (!isReady()) refuse('tray.ready')
    if (setting.tray === 'failing') throw new Error('Failed to create tray')
    report('tray')
    commands.on('tray-click', () => this.emit('click'))
  }
  setToolTip(_text: string): void {
    note('Tray.setToolTip')
  }
  setContextMenu(menu: Menu | null): void {
    note('Tray.setContextMenu')
    commands.removeAllListeners('tray')
    if (menu !== null) commands.on('tray', ({ label }: { label: string }) => clickIn(menu, label))
  }
}

let lastNotification = 0

export class Notification extends EventEmitter {
  readonly title: string
  readonly body: string
  readonly #number = ++lastNotification

  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super()
    note('Notification')
    if (!isReady()) refuse('notification.ready')
    this.title = options.title ?? ''
    this.body = options.body ?? ''
  }

  static isSupported(): boolean {
    note('Notification.isSupported')
    return setting.notifications !== 'unsupported'
  }

  show(): void {
    note('Notification.show')
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

export const globalShortcut = {
  register: (accelerator: string, pressed: () => void): boolean => {
    note('globalShortcut.register')
    if (!isReady()) refuse('shortcut.ready')
    // Registered twice it is refused, as another program's key is.
    if (commands.listenerCount(`key ${accelerator}`) > 0) return false
    commands.on(`key ${accelerator}`, pressed)
    return true
  },
}

export const shell = {
  openExternal: async (url: string): Promise<void> => {
    note('shell.openExternal')
    report('external', { url })
  },
}

let prompted = false

export const systemPreferences = {
  getMediaAccessStatus: (_mediaType: 'microphone' | 'camera' | 'screen') => {
    note('systemPreferences.getMediaAccessStatus')
    return prompted ? (setting.screenPrompt === 'yes' ? 'granted' : 'denied') : setting.screenAccess
  },
}

export const desktopCapturer = {
  getSources: async (options: { types: string[]; thumbnailSize?: { width: number; height: number } }) => {
    note('desktopCapturer.getSources')
    report('capture', { size: options.thumbnailSize })
    if (setting.screenAccess !== 'granted') {
      // electron:api/desktop-capturer: macOS asks the person when a picture is asked for, and not earlier.
      prompted = true
      report('screen-prompt')
      if (setting.screenPrompt === 'no') throw new Error('Failed to get sources.')
    }
    const png = await BrowserWindow.picture()
    return [{ id: 'screen:0:0', name: 'Screen 1', display_id: '1', thumbnail: new Image(png ?? Buffer.alloc(0)) }]
  },
}

const area = { x: 0, y: 0, width: 1920, height: 1080 }
const display = { id: 1, bounds: area, workArea: area, size: { width: 1920, height: 1080 }, scaleFactor: 1 }

// lib/browser/api/screen.ts: the first use makes it, which must not be before ready.
const whenReady = <T>(value: T): T => (isReady() ? value : refuse('screen.ready'))

export const screen = {
  getPrimaryDisplay: () => {
    note('screen.getPrimaryDisplay')
    return whenReady(display)
  },
  getAllDisplays: () => {
    note('screen.getAllDisplays')
    return whenReady([display])
  },
}

const answers = [...setting.answers]

export const dialog = {
  showMessageBox: async (
    ...args: [Electron.MessageBoxOptions] | [unknown, Electron.MessageBoxOptions]
  ): Promise<Electron.MessageBoxReturnValue> => {
    note('dialog.showMessageBox')
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
    note('dialog.showErrorBox')
    // electron:api/dialog: before ready, on Linux, the text goes to stderr and no window is shown.
    if (!isReady() && setting.platform === 'linux') process.stderr.write(`${title}\n${content}\n`)
    else report('error-box', { title, content })
  },
}
