import type { MenuItemConstructorOptions as Item } from 'electron'
import type { Theme } from './shell-state.ts'
import { type Texts, texts } from './texts.ts'

/** `folder` is a data directory to open. */
export type Command = NamedCommand | { readonly folder: string }

type NamedCommand = 'show' | 'scan' | 'browser' | 'keepRunning' | 'rehearse' | 'logs' | 'quit' | Theme

/** Works in every window, since the code to scan is usually in another program. */
export const SCAN_KEY = 'CommandOrControl+Shift+9'

export type MenuSetting = {
  readonly platform: NodeJS.Platform
  readonly developer: boolean
  readonly keepRunning: boolean
  readonly theme: Theme
  readonly recent: readonly string[]
  readonly run: (command: Command) => void
}

const LINE: Item = { type: 'separator' }

const roles = (...names: readonly (keyof Texts['roles'])[]): readonly Item[] =>
  names.map((role) => ({ role, label: texts.roles[role] }))

const menu = (name: keyof Texts['menu'], ...submenu: Item[]): Item => ({ label: texts.menu[name], submenu })

const commandItem =
  ({ run }: MenuSetting) =>
  (command: NamedCommand, more: Item = {}): Item => ({
    ...{ label: texts.menu[command], click: () => run(command) },
    ...more,
  })

export const menuTemplate = (setting: MenuSetting): Item[] => {
  const { platform, developer, keepRunning, theme, recent, run } = setting
  const command = commandItem(setting)
  // A single & would underline the letter behind it.
  const folders = recent.map((folder) => ({ label: folder.replaceAll('&', '&&'), click: () => run({ folder }) }))
  const others: Item[] = folders.length === 0 ? [{ label: texts.menu.noRecent, enabled: false }] : folders
  const file = [menu('recent', ...others), LINE, command('browser'), LINE]
  const themes = (['system', 'light', 'dark'] as const).map((name) =>
    command(name, { type: 'radio', checked: theme === name }),
  )
  const inside = [
    menu('edit', ...roles('undo', 'redo'), LINE, ...roles('cut', 'copy', 'paste', 'selectAll')),
    menu('phones', command('scan', { accelerator: SCAN_KEY })),
    menu(
      'view',
      ...roles('reload', ...(developer ? (['toggleDevTools'] as const) : [])),
      LINE,
      ...roles('resetZoom', 'zoomIn', 'zoomOut'),
      LINE,
      menu('appearance', ...themes),
      ...roles('togglefullscreen'),
    ),
  ]
  const help = [command('rehearse'), command('logs')]
  if (platform === 'darwin') {
    const own = [roles('about'), roles('services'), roles('hide', 'hideOthers', 'unhide')]
    return [
      // macOS gives the first menu the name of the program.
      { label: texts.product, submenu: [...own.flatMap((part) => [...part, LINE]), ...roles('quit')] },
      menu('file', ...file, ...roles('close')),
      ...inside,
      menu('window', ...roles('minimize', 'zoom'), LINE, ...roles('front')),
      menu('help', ...help),
    ]
  }
  const keeps = command('keepRunning', { type: 'checkbox', checked: keepRunning })
  return [
    menu('file', ...file, keeps, LINE, command('quit', { accelerator: 'Ctrl+Q' })),
    ...inside,
    menu('window', ...roles('minimize', 'close')),
    menu('help', ...help, LINE, ...roles('about')),
  ]
}

/** The tray only shows the key; the window's menu and the system-wide shortcut listen to it. */
export const trayTemplate = (setting: MenuSetting): Item[] => {
  const command = commandItem(setting)
  const items = [command('show'), command('scan', { accelerator: SCAN_KEY }), command('browser'), LINE, command('quit')]
  return items.map((item) => ({ ...item, registerAccelerator: false }))
}
