import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type * as Electron from 'electron'
import { commands, isReady, refuse, report, setting } from './machine.ts'

export { app } from './app.ts'
export { BrowserWindow, session } from './window.ts'

/** Electron's parts of the desktop: everything a person would see is reported, everything a person does is a command. */
class Image {
  readonly #file: Buffer
  constructor(file: Buffer) {
    this.#file = file
  }
  isEmpty(): boolean {
    return this.#file.length === 0
  }
}

export const nativeImage = {
  // electron:api/native-image: an empty image where there is no such file.
  createFromPath: (path: string): Image => new Image(existsSync(path) ? readFileSync(path) : Buffer.alloc(0)),
}

type Template = readonly Electron.MenuItemConstructorOptions[]

const labelled = (items: Template): readonly Electron.MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...labelled(Array.isArray(item.submenu) ? item.submenu : [])])

let clickIn: (menu: unknown, label: string) => void

export class Menu {
  #items: Template = []

  static buildFromTemplate(template: Template): Menu {
    for (const { role, label, type } of labelled(template)) {
      if (role === undefined && label === undefined && type === undefined)
        refuse('Invalid template for MenuItem: must have at least one of label, role or type')
    }
    const menu = new Menu()
    menu.#items = template
    return menu
  }

  static setApplicationMenu(menu: Menu | null): void {
    commands.removeAllListeners('menu')
    if (menu === null) return
    commands.on('menu', ({ label }: { label: string }) => clickIn(menu, label))
    report('menu', { labels: labelled(menu.#items).flatMap(({ label }) => label ?? []) })
  }

  static {
    clickIn = (menu, label) => {
      const item = labelled((menu as Menu).#items).find((each) => each.label === label)
      if (item === undefined) throw new Error(`no item ${label}`)
      item.click?.(item as never, undefined, {} as never)
    }
  }
}

export class Tray extends EventEmitter {
  constructor(_image: unknown) {
    super()
    if (!isReady()) refuse('Cannot create Tray before app is ready')
    if (setting.tray === 'failing') throw new Error('Failed to create tray')
  }
  setToolTip(_text: string): void {}
  setContextMenu(_menu: unknown): void {}
}

export class Notification extends EventEmitter {
  readonly title: string
  readonly body: string

  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super()
    if (!isReady()) refuse('Cannot create Notification before app is ready')
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
    report('notification', { title: this.title, body: this.body })
  }
}

export const globalShortcut = {
  register: (_accelerator: string, _pressed: () => void): boolean => {
    if (!isReady()) refuse('globalShortcut cannot be used before the app is ready')
    return true
  },
}

export const shell = {
  openExternal: async (_url: string): Promise<void> => undefined,
  openPath: async (_path: string): Promise<string> => '',
}

let prompted = false

export const systemPreferences = {
  getMediaAccessStatus: (_mediaType: 'microphone' | 'camera' | 'screen') =>
    prompted ? (setting.screenPrompt === 'yes' ? 'granted' : 'denied') : setting.screenAccess,
}

export const desktopCapturer = {
  getSources: async (_options: object) => {
    if (setting.screenAccess !== 'granted') {
      // electron:api/desktop-capturer: macOS asks the person when a picture is asked for, and not earlier.
      prompted = true
      report('screen-prompt')
      if (setting.screenPrompt === 'no') refuse('Failed to get sources.')
    }
    // A screen on which nothing is.
    const thumbnail = {
      isEmpty: () => false,
      getSize: () => ({ width: 8, height: 8 }),
      toBitmap: () => Buffer.alloc(256, 255),
    }
    return [{ id: 'screen:0:0', name: 'Screen 1', display_id: '1', thumbnail }]
  },
}

const area = { x: 0, y: 0, width: 1920, height: 1080 }
const display = { id: 1, bounds: area, workArea: area, size: { width: 1920, height: 1080 }, scaleFactor: 1 }

// lib/browser/api/screen.ts: the first use makes it, which must not be before ready.
const whenReady = <T>(value: T): T =>
  isReady() ? value : refuse("The 'screen' module can't be used before the app 'ready' event")

export const screen = { getPrimaryDisplay: () => whenReady(display), getAllDisplays: () => whenReady([display]) }

export const nativeTheme = { themeSource: 'system' }

const answers = [...setting.answers]

export const dialog = {
  showMessageBox: async (
    ...args: [Electron.MessageBoxOptions] | [unknown, Electron.MessageBoxOptions]
  ): Promise<Electron.MessageBoxReturnValue> => {
    if (!isReady()) refuse('dialog module can only be used after app is ready')
    const { message, detail, buttons } = args.at(-1) as Electron.MessageBoxOptions
    report('message-box', { message, detail, buttons })
    const response = answers.shift()
    return response === undefined ? new Promise(() => undefined) : { response, checkboxChecked: false }
  },
  showErrorBox: (title: string, content: string): void => {
    // electron:api/dialog: before ready, on Linux, the text goes to stderr and no window is shown.
    if (!isReady() && setting.platform === 'linux') process.stderr.write(`${title}\n${content}\n`)
    else report('error-box', { title, content })
  },
}
