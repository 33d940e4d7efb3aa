/** What Electron refuses, and where that is written: its documentation (electron:), or its source (shell/, lib/). */
export const RULES = {
  'tray.ready': {
    says: 'Cannot create Tray before app is ready',
    source: 'shell/browser/api/electron_api_tray.cc, Tray::New',
  },
  'notification.ready': {
    says: 'Cannot create Notification before app is ready',
    source: 'shell/browser/api/electron_api_notification.cc, Notification::New',
  },
  'window.ready': {
    says: 'Cannot create BrowserWindow before app is ready',
    source: 'shell/browser/api/electron_api_browser_window.cc, BrowserWindow::New',
  },
  'shortcut.ready': {
    says: 'globalShortcut cannot be used before the app is ready',
    source: 'shell/browser/api/electron_api_global_shortcut.cc, GlobalShortcut::Register',
  },
  'session.ready': {
    says: 'Session can only be received when app is ready',
    source: 'shell/browser/api/electron_api_session.cc, FromPartition',
  },
  'screen.ready': {
    says: "The 'screen' module can't be used before the app 'ready' event",
    source: 'shell/browser/api/electron_api_screen.cc, Screen::Create',
  },
  'dialog.ready': {
    says: 'dialog module can only be used after app is ready',
    source: 'lib/browser/api/dialog.ts, checkAppInitialized',
  },
  'sandbox.early': {
    says: 'app.enableSandbox() can only be called before app is ready',
    source: 'shell/browser/api/electron_api_app.cc, App::EnableSandbox; electron:api/app, app.enableSandbox()',
  },
  'path.exists': {
    says: 'Failed to set path',
    source: 'shell/browser/api/electron_api_app.cc, App::SetPath (create = false); electron:api/app, app.setPath()',
  },
  'window.destroyed': {
    says: 'Object has been destroyed',
    source:
      'shell/common/gin_helper/function_template.h, ArgumentHolder; electron:api/browser-window, event closed: do not use it any more',
  },
  'menu.item': {
    says: 'Invalid template for MenuItem: must have at least one of label, role or type',
    source: 'lib/browser/api/menu.ts, Menu.buildFromTemplate',
  },
  'capture.denied': {
    says: 'Failed to get sources.',
    source: 'shell/browser/api/electron_api_desktop_capturer.cc, DesktopCapturer::HandleFailure',
  },
} as const satisfies Readonly<Record<string, { readonly says: string; readonly source: string }>>

export type Rule = keyof typeof RULES

/** Electron throws; the message is its own, so that a shell sees what it would see there. */
export const refuse = (rule: Rule): never => {
  throw new Error(RULES[rule].says)
}
