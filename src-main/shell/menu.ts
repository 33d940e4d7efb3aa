import type { MenuItemConstructorOptions } from 'electron'
import type { Theme } from './shell-state.ts'
import { type Texts, texts } from './texts.ts'

/** `folder` is a data directory to open. */
export type Command = NamedCommand | { readonly folder: string }

type NamedCommand = 'show' | 'scan' | 'browser' | 'keepRunning' | 'rehearse' | 'logs' | 'quit' | Theme

type Role = keyof Texts['roles']

type Item =
  | { readonly role: Role }
  | { readonly command: NamedCommand; readonly accelerator?: string }
  | { readonly folder: string }
  | { readonly disabled: keyof Texts['menu'] }
  | { readonly separator: true }
  | Menu

type Menu = { readonly menu: keyof Texts['menu']; readonly items: readonly Item[] } | { readonly app: readonly Item[] }

/** Works in every window, since the code to scan is usually in another program. */
export const SCAN_KEY = 'CommandOrControl+Shift+9'

const LINE: Item = { separator: true }

const roles = (...names: readonly Role[]): readonly Item[] => names.map((role) => ({ role }))

const phones: Menu = { menu: 'phones', items: [{ command: 'scan', accelerator: SCAN_KEY }] }

const editMenu: Menu = {
  menu: 'edit',
  items: [...roles('undo', 'redo'), LINE, ...roles('cut', 'copy', 'paste', 'selectAll')],
}

const appearance: Menu = {
  menu: 'appearance',
  items: [{ command: 'system' }, { command: 'light' }, { command: 'dark' }],
}

const viewMenu = (developer: boolean): Menu => ({
  menu: 'view',
  items: [
    ...roles('reload', ...(developer ? (['toggleDevTools'] as const) : [])),
    LINE,
    ...roles('resetZoom', 'zoomIn', 'zoomOut'),
    LINE,
    appearance,
    ...roles('togglefullscreen'),
  ],
})

const recent = (folders: readonly string[]): Menu => ({
  menu: 'recent',
  items: folders.length === 0 ? [{ disabled: 'noRecent' }] : folders.map((folder) => ({ folder })),
})

type Variable = Pick<MenuSetting, 'developer' | 'recent'>

const macMenus = ({ developer, recent: folders }: Variable): readonly Menu[] => [
  {
    app: [
      ...roles('about'),
      LINE,
      ...roles('services'),
      LINE,
      ...roles('hide', 'hideOthers', 'unhide'),
      LINE,
      ...roles('quit'),
    ],
  },
  { menu: 'file', items: [recent(folders), LINE, { command: 'browser' }, LINE, ...roles('close')] },
  editMenu,
  phones,
  viewMenu(developer),
  { menu: 'window', items: [...roles('minimize', 'zoom'), LINE, ...roles('front')] },
  { menu: 'help', items: [{ command: 'rehearse' }, { command: 'logs' }] },
]

const otherMenus = ({ developer, recent: folders }: Variable): readonly Menu[] => [
  {
    menu: 'file',
    items: [
      recent(folders),
      LINE,
      { command: 'browser' },
      LINE,
      { command: 'keepRunning' },
      LINE,
      { command: 'quit', accelerator: 'Ctrl+Q' },
    ],
  },
  editMenu,
  phones,
  viewMenu(developer),
  { menu: 'window', items: roles('minimize', 'close') },
  { menu: 'help', items: [{ command: 'rehearse' }, { command: 'logs' }, LINE, ...roles('about')] },
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
  readonly theme: Theme
  readonly recent: readonly string[]
  readonly run: (command: Command) => void
}

export const menuTemplate = (setting: MenuSetting): MenuItemConstructorOptions[] =>
  (setting.platform === 'darwin' ? macMenus : otherMenus)(setting).map((menu) => itemTemplate(menu, setting))

/** The tray only shows the key; the window's menu and the system-wide shortcut listen to it. */
export const trayTemplate = (setting: MenuSetting): MenuItemConstructorOptions[] =>
  trayItems.map((item) => ({ ...itemTemplate(item, setting), registerAccelerator: false }))

const itemTemplate = (item: Item, setting: MenuSetting): MenuItemConstructorOptions => {
  const submenu = (items: readonly Item[]) => items.map((each) => itemTemplate(each, setting))
  if ('separator' in item) return { type: 'separator' }
  if ('role' in item) return { role: item.role, label: texts.roles[item.role] }
  // macOS gives the first menu the name of the program.
  if ('app' in item) return { label: texts.product, submenu: submenu(item.app) }
  if ('menu' in item) return { label: texts.menu[item.menu], submenu: submenu(item.items) }
  if ('disabled' in item) return { label: texts.menu[item.disabled], enabled: false }
  // A single & would underline the letter behind it.
  if ('folder' in item) return { label: item.folder.replaceAll('&', '&&'), click: () => setting.run(item) }
  const { command, accelerator } = item
  return {
    label: texts.menu[command],
    click: () => setting.run(command),
    ...choice(command, setting),
    ...(accelerator === undefined ? {} : { accelerator }),
  }
}

const choice = (command: NamedCommand, { keepRunning, theme }: MenuSetting): MenuItemConstructorOptions => {
  if (command === 'keepRunning') return { type: 'checkbox', checked: keepRunning }
  if (command === 'system' || command === 'light' || command === 'dark')
    return { type: 'radio', checked: theme === command }
  return {}
}
