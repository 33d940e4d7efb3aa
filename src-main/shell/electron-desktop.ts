import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  app,
  desktopCapturer,
  dialog,
  globalShortcut,
  Menu,
  Notification,
  nativeImage,
  nativeTheme,
  screen,
  shell,
  systemPreferences,
  Tray,
} from 'electron'
import { SHELL_NOTE } from '../core/contract/page-address.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { escapeInvisible } from '../core/protocol/visible.ts'
import { type Command, type MenuSetting, menuTemplate, SCAN_KEY, trayTemplate } from './menu.ts'
import type { Picture } from './scan.ts'
import { encodePicture, pictureSize } from './screen-picture.ts'
import type { RecentFolders, ShellStateStore, Theme } from './shell-state.ts'
import { texts } from './texts.ts'

type Options = {
  readonly resources: string
  readonly version: string
  readonly state: ShellStateStore
  readonly recent: RecentFolders
  /** The data directory of this run, which the menu does not offer. */
  readonly folder: string | undefined
  readonly say: (text: string) => void
}

export type ElectronDesktop = ReturnType<typeof electronDesktop>

export const electronDesktop = ({ resources, version, state, recent, folder, say }: Options) => {
  // Electron’s tray and notices vanish when they are not referenced.
  let tray: Tray | undefined
  const shown = new Set<Notification>()

  let toldLost = false
  let showMenu = (): void => undefined

  const offer = (run: (command: Command) => void): void => {
    const { platform } = process
    const setting = (): MenuSetting => {
      const others = recent.list().filter((each) => each !== folder)
      return { platform, developer: !app.isPackaged, ...state.get(), recent: others, run }
    }
    const { electron, chrome, node } = process.versions
    app.setAboutPanelOptions({
      applicationName: texts.product,
      applicationVersion: version,
      copyright: texts.about(`Electron ${electron}, Chromium ${chrome}, Node ${node}`),
    })
    showMenu = () => Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(setting())))
    showMenu()
    if (!globalShortcut.register(SCAN_KEY, () => run('scan'))) say(texts.noShortcut(SCAN_KEY))
    try {
      // macOS recolours images named …Template to suit its menu bar.
      const image = nativeImage.createFromPath(join(resources, platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'))
      tray ??= new Tray(image)
      tray.setToolTip(texts.product)
      tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(setting())))
      if (platform !== 'darwin') tray.on('click', () => run('show'))
    } catch (reason) {
      say(texts.noTray(String(reason)))
    }
  }

  /** Reports lost notices once per run, and on the page when a window is next focused. */
  const tellLost = (cause: string): void => {
    if (toldLost) return
    toldLost = true
    const text = texts.push.lost(cause)
    say(text)
    const script = `!dispatchEvent(new CustomEvent('${SHELL_NOTE}', { detail: ${JSON.stringify(text)}, cancelable: true }))`
    const onFocus = (): void =>
      void app.once('browser-window-focus', async (_, { webContents }) => {
        const isTaken = await webContents.executeJavaScript(script).catch(() => false)
        if (isTaken !== true) onFocus()
      })
    onFocus()
  }

  const notify = async (given: { readonly title: string; readonly body: string }, clicked?: () => void) => {
    // Title and body contain names that come from RPs.
    const [title, body] = [escapeInvisible(given.title), escapeInvisible(given.body)]
    await app.whenReady()
    // A push is also visible on the page; a reply to a user action is visible nowhere else.
    const instead = async (cause: string): Promise<void> => {
      if (clicked !== undefined) return tellLost(cause)
      await dialog.showMessageBox({ type: 'info', message: title, detail: body, buttons: [texts.close] })
    }
    if (!Notification.isSupported()) return instead(texts.push.unsupported)
    const notice = new Notification({ title, body })
    shown.add(notice)
    const done = (): void => void shown.delete(notice)
    notice.on('click', () => {
      done()
      clicked?.()
    })
    notice.on('close', done)
    notice.on('failed', (_, error) => {
      done()
      void instead(error)
    })
    notice.show()
  }

  /** One picture for each display. */
  const capture = async (): Promise<Result<readonly Picture[], string>> => {
    try {
      const thumbnailSize = pictureSize(screen.getAllDisplays())
      // On macOS this call asks the user for permission; until then the status is "denied".
      const sources = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize })
      const isMac = process.platform === 'darwin'
      if (isMac && systemPreferences.getMediaAccessStatus('screen') !== 'granted') return err(texts.scan.denied)
      const pictures = await Promise.all(sources.map(({ thumbnail }) => encodePicture(thumbnail)))
      return ok(pictures.flatMap((picture) => picture ?? []))
    } catch {
      // The system asked the user, who refused.
      return err(texts.scan.denied)
    }
  }

  /** False if the data directory no longer exists; a message then names it, and the menu no longer offers it. */
  const findFolder = (wanted: string): boolean => {
    if (existsSync(wanted)) return true
    recent.forget(wanted)
    showMenu()
    const { gone, detail } = texts.recent
    void dialog.showMessageBox({ type: 'warning', message: gone, detail: detail(wanted), buttons: [texts.close] })
    return false
  }

  return {
    offer,
    findFolder,
    notify: (...notice: Parameters<typeof notify>): void => void notify(...notice),
    capture,
    setTheme: (theme: Theme): void => {
      nativeTheme.themeSource = theme
      state.change({ theme })
    },
    showLogs: (): void => void shell.openPath(app.getPath('logs')),
    openInBrowser: (address: string): void => void shell.openExternal(address),
  }
}
