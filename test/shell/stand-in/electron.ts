/** The stand-in for Electron's main module: what the shell uses of it, with what Electron demands of its users. */
export { app } from './app.ts'
export {
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
} from './desktop.ts'
export { session } from './session.ts'
export { BrowserWindow } from './window.ts'
