import type { MenuItemConstructorOptions } from 'electron'
import { texts } from './texts.ts'

/** What can be asked of the shell, from a menu, the tray or a key. */
export type Command = 'show' | 'scan' | 'browser' | 'keepRunning' | 'quit'

type Role = NonNullable<MenuItemConstructorOptions['role']>

type Item =
  | { readonly role: Role }
  | { readonly command: Command; readonly accelerator?: string }
  | { readonly separator: true }

type Menu = { readonly label: string; readonly items: readonly Item[] } | { readonly role: Role }

/** Works wherever the focus is: a code to scan is seldom in our own window. */
export const SCAN_KEY = 'CommandOrControl+Shift+9'

const LINE: Item = { separator: true }
const KEEP: Item = { command: 'keepRunning' }

const phones: Menu = { label: texts.menu.phones, items: [{ command: 'scan', accelerator: SCAN_KEY }] }

const edit: Menu = {
  label: texts.menu.edit,
  items: [
    { role: 'undo' },
    { role: 'redo' },
    LINE,
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
  ],
}

const view = (developer: boolean): Menu => ({
  label: texts.menu.view,
  items: [
    { role: 'reload' },
    ...(developer ? ([{ role: 'toggleDevTools' }] as const) : []),
    LINE,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    LINE,
    { role: 'togglefullscreen' },
  ],
})

const macMenus = (developer: boolean): readonly Menu[] => [
  { role: 'appMenu' },
  { label: texts.menu.file, items: [{ command: 'browser' }, LINE, { role: 'close' }] },
  edit,
  phones,
  view(developer),
  { role: 'windowMenu' },
]

const otherMenus = (developer: boolean): readonly Menu[] => [
  {
    label: texts.menu.file,
    items: [{ command: 'browser' }, LINE, KEEP, LINE, { command: 'quit', accelerator: 'Ctrl+Q' }],
  },
  edit,
  phones,
  view(developer),
  { label: texts.menu.window, items: [{ role: 'minimize' }, { role: 'close' }] },
]

const trayItems: readonly Item[] = [
  { command: 'show' },
  { command: 'scan', accelerator: SCAN_KEY },
  { command: 'browser' },
  LINE,
  { command: 'quit' },
]

export type MenuSetting = {
  readonly platform: NodeJS.Platform
  readonly developer: boolean
  readonly keepRunning: boolean
  readonly run: (command: Command) => void
}

export const menuTemplate = (setting: MenuSetting): MenuItemConstructorOptions[] =>
  (setting.platform === 'darwin' ? macMenus : otherMenus)(setting.developer).map((menu) =>
    'role' in menu
      ? { role: menu.role }
      : { label: menu.label, submenu: menu.items.map((item) => itemTemplate(item, setting)) },
  )

/** The key is only shown there; the menu of the window and the system-wide shortcut listen to it. */
export const trayTemplate = (setting: MenuSetting): MenuItemConstructorOptions[] =>
  trayItems.map((item) => ({ ...itemTemplate(item, setting), registerAccelerator: false }))

const itemTemplate = (item: Item, { keepRunning, run }: MenuSetting): MenuItemConstructorOptions => {
  if ('separator' in item) return { type: 'separator' }
  if ('role' in item) return { role: item.role }
  const { command, accelerator } = item
  return {
    label: texts.menu[command],
    click: () => run(command),
    ...(command === 'keepRunning' ? { type: 'checkbox' as const, checked: keepRunning } : {}),
    ...(accelerator === undefined ? {} : { accelerator }),
  }
}
