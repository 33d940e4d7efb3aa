/** What Electron refuses, and where that is written: its documentation (electron:), or its source (shell/, lib/). */
export const RULES = {
  // shell/browser/api/electron_api_tray.cc, Tray::New
  'tray.ready': 'Cannot create Tray before app is ready',
  // shell/browser/api/electron_api_notification.cc, Notification::New
  'notification.ready': 'Cannot create Notification before app is ready',
  // shell/browser/api/electron_api_browser_window.cc, BrowserWindow::New
  'window.ready': 'Cannot create BrowserWindow before app is ready',
  // shell/browser/api/electron_api_global_shortcut.cc, GlobalShortcut::Register
  'shortcut.ready': 'globalShortcut cannot be used before the app is ready',
  // shell/browser/api/electron_api_session.cc, FromPartition
  'session.ready': 'Session can only be received when app is ready',
  // shell/browser/api/electron_api_screen.cc, Screen::Create
  'screen.ready': "The 'screen' module can't be used before the app 'ready' event",
  // lib/browser/api/dialog.ts, checkAppInitialized
  'dialog.ready': 'dialog module can only be used after app is ready',
  // shell/browser/api/electron_api_app.cc, App::EnableSandbox; electron:api/app, app.enableSandbox()
  'sandbox.early': 'app.enableSandbox() can only be called before app is ready',
  // shell/browser/api/electron_api_app.cc, App::SetPath (create = false); electron:api/app, app.setPath()
  'path.exists': 'Failed to set path',
  // shell/common/gin_helper/function_template.h, ArgumentHolder; electron:api/browser-window, event closed: do not use it any more
  'window.destroyed': 'Object has been destroyed',
  // lib/browser/api/menu.ts, Menu.buildFromTemplate
  'menu.item': 'Invalid template for MenuItem: must have at least one of label, role or type',
  // shell/browser/api/electron_api_desktop_capturer.cc, DesktopCapturer::HandleFailure
  'capture.denied': 'Failed to get sources.',
} as const satisfies Readonly<Record<string, string>>

export type Rule = keyof typeof RULES

/** Electron throws; the message is its own, so that a shell sees what it would see there. */
export const refuse = (rule: Rule): never => {
  throw new Error(RULES[rule])
}
