import type { BrowserWindowConstructorOptions } from 'electron'
import type { Rectangle, WindowState } from './shell-state.ts'
import { texts } from './texts.ts'

/** The page is an ordinary web page: it gets neither Node nor a shared world, and stays in the sandbox. */
const LOCKED = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  spellcheck: false,
} as const

export const windowOptions = ({
  preload,
  placement: { maximised: _, ...bounds },
  devTools,
}: {
  readonly preload: string
  readonly placement: ReturnType<typeof placeWindow>
  readonly devTools: boolean
}): BrowserWindowConstructorOptions => ({
  ...bounds,
  minWidth: MIN_WINDOW.width,
  minHeight: MIN_WINDOW.height,
  title: texts.product,
  backgroundColor: '#E9ECEF',
  show: false,
  webPreferences: { preload, ...LOCKED, devTools },
})

export const MIN_WINDOW = { width: 390, height: 600 } as const

export const notesWindowOptions: BrowserWindowConstructorOptions = {
  minWidth: MIN_WINDOW.width,
  title: texts.product,
  backgroundColor: '#E9ECEF',
  autoHideMenuBar: true,
  webPreferences: { ...LOCKED, devTools: false },
}

const FIRST = { width: 1440, height: 900 } as const

/** The part of the title bar that must stay within reach of a mouse. */
const GRIP = { width: 120, height: 32 } as const

/** The first display is the main one. Without x and y the system chooses the place. */
export const placeWindow = (kept: WindowState | undefined, displays: readonly Rectangle[]) => {
  const main = displays[0]
  if (kept === undefined) return { ...fitInto(FIRST, main), maximised: false }
  const { bounds, maximised } = kept
  const display = displays.find((area) => canBeGrabbed(bounds, area))
  const size = fitInto(bounds, display ?? main)
  // On a display that is gone the window would be invisible.
  return display === undefined ? { ...size, maximised } : { ...size, x: bounds.x, y: bounds.y, maximised }
}

type Size = { readonly width: number; readonly height: number }

const fitInto = ({ width, height }: Size, area: Size | undefined): Size => ({
  width: Math.max(MIN_WINDOW.width, Math.min(width, area?.width ?? width)),
  height: Math.max(MIN_WINDOW.height, Math.min(height, area?.height ?? height)),
})

const canBeGrabbed = ({ x, y, width }: Rectangle, area: Rectangle): boolean => {
  const seen = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
  return seen >= GRIP.width && y >= area.y && y + GRIP.height <= area.y + area.height
}
