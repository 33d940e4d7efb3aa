import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { SHELL_NOTE } from '../../src-main/core/contract/page-address.ts'
import { electronDesktop } from '../../src-main/shell/electron-desktop.ts'

/** As much of Electron as notices and the shortcut need. */
const electron = await vi.hoisted(async () => {
  const { EventEmitter } = await import('node:events')
  const app = Object.assign(new EventEmitter(), {
    whenReady: async () => undefined,
    setAboutPanelOptions: () => undefined,
  })
  class Notification extends EventEmitter {
    static isSupported = () => true
    static shown: unknown[] = []
    constructor(notice: unknown) {
      super()
      Notification.shown.push(notice)
    }
    show = (): void => void this.emit('failed', {}, 'not signed')
  }
  const Menu = { setApplicationMenu: () => undefined, buildFromTemplate: () => undefined }
  return { app, Notification, Menu, globalShortcut: { register: () => false } }
})
vi.mock('electron', () => ({ ...electron, nativeImage: {}, dialog: {} }))

const desktop = () => {
  const said: string[] = []
  const recent = { list: () => [], use: () => undefined, forget: () => undefined }
  const state = { get: () => ({ keepRunning: false, theme: 'system' as const }), change: () => undefined }
  const options = { resources: '/', version: '0', state, recent, folder: undefined }
  return { ...electronDesktop({ ...options, say: (text) => void said.push(text) }), said }
}

/** A window whose page hears the shell, or not yet. */
const windowOf = (isLoaded: boolean) => {
  const notes: unknown[] = []
  const dispatchEvent = (event: { type: string; detail: unknown }): boolean => {
    if (isLoaded && event.type === SHELL_NOTE) notes.push(event.detail)
    return !isLoaded
  }
  const webContents = {
    executeJavaScript: async (script: string) => runInNewContext(script, { dispatchEvent, CustomEvent }),
  }
  return { window: { webContents }, notes }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('pushes without a notice are told once, with the cause, on the page that the person looks at', async () => {
  const { notify, said } = desktop()
  for (const title of ['One', 'Two']) notify({ title, body: '' }, () => undefined)
  await settle()
  expect(said).toEqual([expect.stringContaining('not signed')])
  const [early, page] = [windowOf(false), windowOf(true)]
  for (const { window } of [early, page, page]) {
    electron.app.emit('browser-window-focus', {}, window)
    await settle()
  }
  expect(page.notes).toEqual(said)
})

test('a notice shows invisible characters of names as numbers', async () => {
  desktop().notify({ title: 'Shop\u202elive', body: 'Alice\u200b' }, () => undefined)
  await settle()
  expect(electron.Notification.shown.at(-1)).toEqual({ title: 'Shop\\u202elive', body: 'Alice\\u200b' })
})

test('a key that another program has is told', () => {
  const { offer, said } = desktop()
  offer(() => undefined)
  expect(said[0]).toContain('CommandOrControl+Shift+9')
})
