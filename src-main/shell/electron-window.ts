import { join } from 'node:path'
import { app, BrowserWindow, dialog, nativeImage, nativeTheme, screen, session } from 'electron'
import { isOwnPage, lockNavigation, lockPermissions, restrictRequests } from './lock-down.ts'
import type { ShellStateStore } from './shell-state.ts'
import { texts } from './texts.ts'
import { createDropScript, type OfferedTrace } from './trace-file.ts'
import { placeWindow, windowOptions } from './window-options.ts'

type Options = {
  readonly preload: string
  readonly resources: string
  readonly state: ShellStateStore
  readonly say: (text: string) => void
}

/** After this time a window is shown, even without its page. */
const LATEST_SHOW_MS = 3_000

export type ElectronWindow = ReturnType<typeof createElectronWindow>

export const createElectronWindow = ({ preload, resources, state, say }: Options) => {
  let window: BrowserWindow | undefined
  let uiUrl = ''
  let waiting = 0
  let loaded = Promise.resolve()

  /** Windows' taskbar shows no count, only a mark on the window's button, which must exist first. */
  const mark = (): void => {
    if (process.platform !== 'win32' || window?.isVisible() !== true) return
    const image = waiting === 0 ? null : nativeImage.createFromPath(join(resources, 'badge.png'))
    window.setOverlayIcon(image, waiting === 0 ? '' : texts.push.waiting(waiting))
  }

  const askForCamera = async (): Promise<boolean> => {
    const { title, detail, yes, no } = texts.camera
    const question = {
      type: 'question' as const,
      message: title,
      detail,
      buttons: [yes, no],
      defaultId: 1,
      cancelId: 1,
    }
    const { response } = await (window === undefined
      ? dialog.showMessageBox(question)
      : dialog.showMessageBox(window, question))
    return response === 0
  }

  const load = (opened: BrowserWindow, address: () => string): Promise<void> =>
    opened.loadURL(address()).catch((reason: unknown) => loadAgain(opened, address, texts.load.failed, String(reason)))

  /** A window that was never ready is hidden, and a crashed one is empty: the user sees only the message box. */
  const loadAgain = async (opened: BrowserWindow, address: () => string, message: string, detail: string) => {
    say(`${message}: ${detail}`)
    // The window was closed before its page was loaded.
    if (opened.isDestroyed()) return
    const { again, quit } = texts.load
    const question = { type: 'error' as const, message, detail, buttons: [again, quit], defaultId: 0, cancelId: 1 }
    const { response } = await dialog.showMessageBox(question)
    if (response !== 0) app.quit()
    else if (!opened.isDestroyed()) await load(opened, address)
  }

  const atEdge = (work: Promise<void>): void => void work.catch((reason: unknown) => say(String(reason)))

  const open = (address: () => string): BrowserWindow => {
    const main = screen.getPrimaryDisplay()
    const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
    const placement = placeWindow(
      state.get().window,
      [main, ...others].map(({ workArea }) => workArea),
    )
    nativeTheme.themeSource = state.get().theme
    const opened = new BrowserWindow(windowOptions({ preload, placement, devTools: !app.isPackaged }))
    lockNavigation(opened.webContents, uiUrl)
    opened.webContents.on('did-create-window', (notes) =>
      opened.on('closed', () => {
        if (!notes.isDestroyed()) notes.close()
      }),
    )
    opened.webContents.on('render-process-gone', (_, { reason }) => {
      const { title, detail } = texts.crashed
      if (reason !== 'clean-exit') atEdge(loadAgain(opened, address, title, detail(reason)))
    })
    let shown = false
    const show = (): void => {
      if (shown || opened.isDestroyed()) return
      shown = true
      // maximize() also shows the window, so an earlier call would show it empty.
      if (placement.maximised) opened.maximize()
      opened.show()
      mark()
    }
    // On Wayland a hidden window may never be ready to show (electron#48859).
    setTimeout(show, LATEST_SHOW_MS)
    opened.once('ready-to-show', show)
    opened.webContents.once('did-finish-load', show)
    opened.on('close', () =>
      state.change({ window: { bounds: opened.getNormalBounds(), maximised: opened.isMaximized() } }),
    )
    opened.on('closed', () => {
      window = undefined
    })
    loaded = load(opened, address)
    atEdge(loaded)
    return opened
  }

  /** Brings the window to the front as it is; opens one at this address if there is none. */
  const showWindow = (address: () => string): void => {
    if (window === undefined) {
      window = open(address)
      return
    }
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  return {
    lockDown: (address: string): void => {
      uiUrl = address
      lockPermissions(session.defaultSession, { uiUrl, askForCamera })
      restrictRequests(session.defaultSession, { uiUrl, refused: say })
    },
    showWindow,
    /** Brings the window to the front and loads this address in it; opens a window if there is none. */
    showPage: (address: () => string): void => {
      const there = window
      showWindow(address)
      if (there === undefined) return
      loaded = load(there, address)
      atEdge(loaded)
    },
    badge: (count: number): void => {
      waiting = count
      if (process.platform === 'win32') mark()
      else app.setBadgeCount(count)
    },
    /** False if the page does not take the trace. */
    showTrace: async (file: OfferedTrace): Promise<boolean> => {
      await loaded
      const shown = window
      if (shown === undefined || !isOwnPage({ url: shown.webContents.getURL(), uiUrl })) return false
      return (await shown.webContents.executeJavaScript(createDropScript(file))) === true
    },
    /** True if the page is in view and so shows a push itself. */
    isWatched: (): boolean => window?.isFocused() === true,
  }
}
