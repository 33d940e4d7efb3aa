import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { type Command, type MenuSetting, menuTemplate, SCAN_KEY, trayTemplate } from '../../src-main/shell/menu.ts'
import { selectTexts } from '../../src-main/shell/texts.ts'
import { COMMANDS } from '../../src-renderer/palette/commands.ts'

const goodSetting = (): MenuSetting & { readonly ran: Command[] } => {
  const ran: Command[] = []
  return {
    platform: 'linux',
    developer: false,
    keepRunning: false,
    theme: 'system',
    recent: [],
    run: (command) => ran.push(command),
    ran,
  }
}

const flat = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...flat(Array.isArray(item.submenu) ? item.submenu : [])])

const click = (items: readonly MenuItemConstructorOptions[], label: string): void => {
  const item = flat(items).find((each) => each.label === label)
  if (item?.click === undefined) throw new Error(`no item ${label}`)
  item.click({} as never, undefined, {} as never)
}

/** The page's own keys; a menu would take them away from it. */
const pageKeys = COMMANDS.flatMap(({ chords = [] }) => chords)
  .filter((chord) => chord.startsWith('Mod+'))
  .map((chord) => chord.slice('Mod+'.length).toLowerCase())

describe.each(['linux', 'win32', 'darwin'] as const)('the menu on %s', (platform) => {
  const template = menuTemplate({ ...goodSetting(), platform })
  const keys = flat(template).flatMap(({ accelerator }) => accelerator ?? [])

  it('scans, opens the browser and edits text', () => {
    const labels = flat(template).map(({ label }) => label)
    const roles = flat(template).map(({ role }) => role)
    expect(labels).toEqual(expect.arrayContaining(['Scan a Code on the Screen', 'Open in the Browser']))
    expect(roles).toEqual(expect.arrayContaining(['copy', 'paste', 'selectAll', 'reload', 'close']))
  })

  it('gives every key once, and none of the page’s', () => {
    expect(new Set(keys).size).toBe(keys.length)
    expect(pageKeys).toContain('k')
    const ours = keys.map((key) => key.toLowerCase().replace(/^(ctrl|command|commandorcontrol|cmdorctrl)\+/, ''))
    expect(ours.filter((key) => pageKeys.includes(key))).toEqual([])
    expect(keys).toContain(SCAN_KEY)
  })

  it('looks into the page only for developers', () => {
    const roles = (developer: boolean) =>
      flat(menuTemplate({ ...goodSetting(), platform, developer })).map(({ role }) => role)
    expect(roles(false)).not.toContain('toggleDevTools')
    expect(roles(false)).not.toContain('viewMenu')
    expect(roles(true)).toContain('toggleDevTools')
  })
})

describe('the menu', () => {
  it('runs the command of the item that is clicked', () => {
    const setting = goodSetting()
    const template = menuTemplate(setting)
    click(template, 'Scan a Code on the Screen')
    click(template, 'Open in the Browser')
    click(template, 'Check Before a Talk')
    click(template, 'Keep Running When the Window Is Closed')
    click(template, 'Quit Handset')
    expect(setting.ran).toEqual(['scan', 'browser', 'rehearse', 'keepRunning', 'quit'])
  })

  it('has the program’s own menu first on macOS, which quits there', () => {
    const template = menuTemplate({ ...goodSetting(), platform: 'darwin' })
    const [first] = template
    expect(flat([first ?? {}]).flatMap(({ role }) => role ?? [])).toEqual([
      'about',
      'services',
      'hide',
      'hideOthers',
      'unhide',
      'quit',
    ])
  })

  it('shows whether the program goes on without a window', () => {
    const item = (keepRunning: boolean) =>
      flat(menuTemplate({ ...goodSetting(), keepRunning })).find(({ type }) => type === 'checkbox')
    expect(item(true)?.checked).toBe(true)
    expect(item(false)?.checked).toBe(false)
  })

  it('marks the appearance that is chosen, and no other', () => {
    const setting = goodSetting()
    const radios = flat(menuTemplate({ ...setting, theme: 'dark' })).filter(({ type }) => type === 'radio')
    expect(radios.map(({ label, checked }) => [label, checked])).toEqual([
      ['As the System', false],
      ['Light', false],
      ['Dark', true],
    ])
    click(menuTemplate(setting), 'Light')
    expect(setting.ran).toEqual(['light'])
  })

  it.each(['linux', 'darwin'] as const)('offers other data directories on %s, each as it is called', (platform) => {
    const setting = { ...goodSetting(), platform }
    const folders = (recent: readonly string[]) =>
      flat(menuTemplate({ ...setting, recent })).find(({ label }) => label === 'Open Recent')?.submenu
    expect(folders([])).toEqual([{ label: 'No Other Data Directories', enabled: false }])
    expect(folders(['/a', '/b&c'])).toMatchObject([{ label: '/a' }, { label: '/b&&c' }])
    click(menuTemplate({ ...setting, recent: ['/a', '/b&c'] }), '/b&&c')
    expect(setting.ran).toEqual([{ folder: '/b&c' }])
  })

  it.each(['linux', 'darwin'] as const)('has a label for every item on %s, also in Chinese', (platform) => {
    const labels = () =>
      flat(menuTemplate({ ...goodSetting(), platform, developer: true })).flatMap(({ label, type }) =>
        type === 'separator' ? [] : [label],
      )
    const english = labels()
    selectTexts(['zh_CN.UTF-8'])
    const chinese = labels()
    selectTexts(['en'])
    expect(english).not.toContain(undefined)
    expect(chinese).toHaveLength(english.length)
    expect(chinese.filter((label, at) => label === undefined || label === english[at])).toEqual(
      platform === 'darwin' ? ['Handset'] : [],
    )
  })
})

it('the tray only shows the keys', () => {
  for (const item of trayTemplate(goodSetting())) expect(item.registerAccelerator).toBe(false)
})
