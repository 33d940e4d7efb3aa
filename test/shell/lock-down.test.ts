import { EventEmitter } from 'node:events'
import type { Session, WebContents } from 'electron'
import { describe, expect, it } from 'vitest'
import { isOwnPage, isPermitted, lockNavigation, lockPermissions } from '../../src-main/shell/lock-down.ts'
import { windowOptions } from '../../src-main/shell/window-options.ts'

const uiUrl = 'http://localhost:7420/'

/** As much of Electron's WebContents as locking touches. */
const contentsAt = (url: string) => {
  const emitter = new EventEmitter()
  let openHandler: ((details: { url: string }) => { action: string }) | undefined
  const contents = Object.assign(emitter, {
    getURL: () => url,
    setWindowOpenHandler: (handler: typeof openHandler) => {
      openHandler = handler
    },
  })
  const prevented = (event: string, target: string): boolean => {
    let stopped = false
    emitter.emit(event, {
      url: target,
      preventDefault: () => {
        stopped = true
      },
    })
    return stopped
  }
  return {
    contents: contents as unknown as WebContents,
    prevented,
    open: (target: string) => openHandler?.({ url: target }).action,
  }
}

describe('the window', () => {
  it('is sandboxed, isolated and without Node', () => {
    expect(windowOptions('/preload.cjs').webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
    })
  })

  it.each(['https://example.org/', 'file:///etc/passwd', 'http://localhost:7421/', 'not an address'])(
    'refuses to go to %s',
    (target) => {
      const { contents, prevented, open } = contentsAt(uiUrl)
      lockNavigation(contents, uiUrl)
      expect(prevented('will-navigate', target)).toBe(true)
      expect(prevented('will-redirect', target)).toBe(true)
      expect(open(target)).toBe('deny')
    },
  )

  it('moves within its own page', () => {
    const { contents, prevented } = contentsAt(uiUrl)
    lockNavigation(contents, uiUrl)
    expect(prevented('will-navigate', `${uiUrl}#console`)).toBe(false)
    expect(isOwnPage({ url: uiUrl, uiUrl })).toBe(true)
  })

  it('opens no second window, not even for its own page', () => {
    const { contents, open } = contentsAt(uiUrl)
    lockNavigation(contents, uiUrl)
    expect(open(uiUrl)).toBe('deny')
  })

  it('permits the camera to its own page and nothing else to anybody', () => {
    expect(isPermitted({ permission: 'media', url: uiUrl, uiUrl })).toBe(true)
    expect(isPermitted({ permission: 'media', url: 'https://example.org/', uiUrl })).toBe(false)
    for (const permission of ['geolocation', 'notifications', 'clipboard-read', 'openExternal', 'hid', 'usb']) {
      expect(isPermitted({ permission, url: uiUrl, uiUrl })).toBe(false)
    }
  })

  it('answers permission requests and checks by the same rule', () => {
    let request: ((contents: WebContents, permission: string, answer: (granted: boolean) => void) => void) | undefined
    let check: ((contents: WebContents | null, permission: string, origin: string) => boolean) | undefined
    const session = {
      setPermissionRequestHandler: (handler: typeof request) => {
        request = handler
      },
      setPermissionCheckHandler: (handler: typeof check) => {
        check = handler
      },
    }
    lockPermissions(session as unknown as Session, uiUrl)
    const answers: boolean[] = []
    request?.(contentsAt(uiUrl).contents, 'media', (granted) => answers.push(granted))
    request?.(contentsAt(uiUrl).contents, 'geolocation', (granted) => answers.push(granted))
    expect(answers).toEqual([true, false])
    expect(check?.(null, 'media', uiUrl)).toBe(true)
    expect(check?.(null, 'midi', uiUrl)).toBe(false)
  })
})
