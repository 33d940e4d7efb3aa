import { EventEmitter } from 'node:events'
import type { Session, WebContents } from 'electron'
import { expect, it } from 'vitest'
import { NOTES_WINDOW } from '../../src-main/core/contract/page-address.ts'
import { pageHeaders } from '../../src-main/http/static-files.ts'
import * as lockDown from '../../src-main/shell/lock-down.ts'
import { notesWindowOptions, windowOptions } from '../../src-main/shell/window-options.ts'

const uiUrl = 'http://localhost:7420/'

/** As much of Electron's WebContents as locking touches. */
const contentsAt = (url: string) => {
  const emitter = new EventEmitter()
  let openHandler: ((details: { url: string; frameName: string }) => { action: string }) | undefined
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
    emitter,
    open: (url: string, frameName = NOTES_WINDOW) => openHandler?.({ url, frameName }),
  }
}

/** As much of Electron's Session as locking touches, with the handlers it was given. */
const session = () => {
  const handlers = new Map<string, (...args: never[]) => unknown>()
  const keep =
    (name: string) =>
    (handler: (...args: never[]) => unknown): void =>
      void handlers.set(name, handler)
  const fake = {
    setPermissionRequestHandler: keep('request'),
    setPermissionCheckHandler: keep('check'),
    webRequest: { onBeforeRequest: keep('before'), onHeadersReceived: keep('headers') },
  }
  const call = (name: string, ...args: unknown[]): unknown => handlers.get(name)?.(...(args as never[]))
  return { session: fake as unknown as Session, call }
}

const permissionsWith = (askForCamera: () => Promise<boolean>) => {
  const { session: locked, call } = session()
  lockDown.lockPermissions(locked, { uiUrl, askForCamera })
  return {
    request: (permission: string, mediaTypes?: string[]) =>
      new Promise<boolean>((answer) => {
        call('request', contentsAt(uiUrl).contents, permission, answer, mediaTypes === undefined ? {} : { mediaTypes })
      }),
    check: (permission: string, mediaType?: string) =>
      call('check', null, permission, uiUrl, mediaType === undefined ? {} : { mediaType }),
  }
}

it('the window is sandboxed, isolated and without Node', () => {
  const placement = { width: 1440, height: 900, maximised: false }
  expect(windowOptions({ preload: '/preload.cjs', placement, devTools: false }).webPreferences).toEqual({
    preload: '/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    spellcheck: false,
    devTools: false,
  })
})

it.each(['https://example.org/', 'file:///etc/passwd', 'http://localhost:7421/', 'not an address'])(
  'the window refuses to go to %s',
  (target) => {
    const { contents, prevented, open } = contentsAt(uiUrl)
    lockDown.lockNavigation(contents, uiUrl)
    expect(prevented('will-navigate', target)).toBe(true)
    expect(prevented('will-redirect', target)).toBe(true)
    expect(open(target)).toEqual({ action: 'deny' })
  },
)

it('the window moves within its own page', () => {
  const { contents, prevented } = contentsAt(uiUrl)
  lockDown.lockNavigation(contents, uiUrl)
  expect(prevented('will-navigate', `${uiUrl}#console`)).toBe(false)
  expect(lockDown.isOwnPage({ url: uiUrl, uiUrl })).toBe(true)
})

it('the window opens the speaker’s notes, as locked as itself', () => {
  const { contents, emitter, open } = contentsAt(uiUrl)
  lockDown.lockNavigation(contents, uiUrl)
  expect(open(`${uiUrl}w/main/present/thief/notes`)).toEqual({
    action: 'allow',
    overrideBrowserWindowOptions: notesWindowOptions,
  })
  expect(notesWindowOptions.webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
  })
  expect(notesWindowOptions.webPreferences).not.toHaveProperty('preload')
  const notes = contentsAt(uiUrl)
  emitter.emit('did-create-window', { webContents: notes.contents })
  expect(notes.prevented('will-navigate', 'https://example.org/')).toBe(true)
  expect(notes.open('https://example.org/')).toEqual({ action: 'deny' })
})

it.each([
  ['another window', `${uiUrl}w/main/present/thief/notes`, ''],
  ['another part of its page', uiUrl],
  ['the stage', `${uiUrl}w/main/present/thief`],
  ['notes of another origin', 'http://localhost:7421/w/main/present/thief/notes'],
  ['notes of a page that looks like it', 'http://localhost:7420@example.org/w/main/present/thief/notes'],
  ['notes with a session of another', `${uiUrl}w/main/present/thief/notes#code=abc`],
  ['notes with a query', `${uiUrl}w/main/present/thief/notes?x`],
  ['notes with a user', 'http://a:b@localhost:7420/w/main/present/thief/notes'],
  ['a path out of the notes', `${uiUrl}w/main/present/thief/notes/../../../../control/v1/info`],
  ['a script', 'javascript:alert(1)'],
])('the window opens nothing else, such as %s', (_, url, frameName = NOTES_WINDOW) => {
  const { contents, open } = contentsAt(uiUrl)
  lockDown.lockNavigation(contents, uiUrl)
  expect(open(url, frameName)).toEqual({ action: 'deny' })
})

it.each(['geolocation', 'notifications', 'clipboard-read', 'openExternal', 'hid', 'usb', 'constructor'])(
  'permissions do not include %s, even for our own page',
  (permission) => {
    expect(lockDown.judgePermission({ permission, url: uiUrl }, uiUrl)).toBe('denied')
  },
)

it.each(['clipboard-sanitized-write', 'fullscreen'])('permissions include %s for our own page alone', (permission) => {
  expect(lockDown.judgePermission({ permission, url: uiUrl }, uiUrl)).toBe('granted')
  expect(lockDown.judgePermission({ permission, url: 'https://example.org/' }, uiUrl)).toBe('denied')
})

it('permissions are asked for the camera and never for the microphone', () => {
  const wish = { permission: 'media', url: uiUrl }
  expect(lockDown.judgePermission({ ...wish, media: ['video'] }, uiUrl)).toBe('ask')
  expect(lockDown.judgePermission({ ...wish, media: ['audio'] }, uiUrl)).toBe('denied')
  expect(lockDown.judgePermission({ ...wish, media: ['video', 'audio'] }, uiUrl)).toBe('denied')
  expect(lockDown.judgePermission(wish, uiUrl)).toBe('denied')
  expect(lockDown.judgePermission({ ...wish, media: ['video'], url: 'https://example.org/' }, uiUrl)).toBe('denied')
})

it('permissions give the camera after a yes, which holds', async () => {
  let asked = 0
  const { request, check } = permissionsWith(async () => {
    asked += 1
    return true
  })
  expect(check('media', 'video')).toBe(false)
  expect(await request('media', ['video'])).toBe(true)
  expect(check('media', 'video')).toBe(true)
  expect(check('media', 'audio')).toBe(false)
  expect(await request('media', ['video'])).toBe(true)
  expect(asked).toBe(1)
})

it('permissions keep the camera after a no, and when no one could be asked', async () => {
  const no = permissionsWith(async () => false)
  expect(await no.request('media', ['video'])).toBe(false)
  expect(no.check('media', 'video')).toBe(false)
  const broken = permissionsWith(async () => {
    throw new Error('no dialog')
  })
  expect(await broken.request('media', ['video'])).toBe(false)
})

it('permissions hand out no device and no picture of the screen', async () => {
  const { request, check } = permissionsWith(async () => true)
  expect(check('hid')).toBe(false)
  // shell/browser/web_contents_permission_helper.cc: sharing the screen is asked as media without a type.
  expect(await request('media', [])).toBe(false)
})

it('permissions deny a page that is gone', () => {
  const { session: locked, call } = session()
  lockDown.lockPermissions(locked, { uiUrl, askForCamera: async () => true })
  const gone = {
    getURL: () => {
      throw new TypeError('Object has been destroyed')
    },
  }
  const answers: boolean[] = []
  for (const contents of [null, gone]) call('request', contents, 'fullscreen', (yes: boolean) => answers.push(yes), {})
  expect(answers).toEqual([false, false])
})

const POLICY = [
  ...["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "img-src 'self' data: blob:"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ')
const policy = (...texts: readonly string[]) => ({ 'content-security-policy': texts })
const nosniff = { 'X-Content-Type-Options': ['nosniff'] }

it.each<[string, Parameters<typeof lockDown.contentPolicyProblem>[0]]>([
  ['that the service sends with its page', Object.fromEntries(pageHeaders.map(([name, value]) => [name, [value]]))],
  ['that stands here', policy(POLICY)],
  ['that text needs none of', { 'content-type': ['text/plain; charset=utf-8'], ...nosniff }],
])('the content policy: %s is strict', (_, headers) => {
  expect(lockDown.contentPolicyProblem(headers)).toBeUndefined()
})

it.each([
  ...["'unsafe-inline'", "'unsafe-eval'", '*', 'data:'].map((wide) => [
    "'wasm-unsafe-eval'",
    wide,
    `${wide} as script-src`,
  ]),
  ['img-src', "style-src 'unsafe-inline'; img-src", "'unsafe-inline' as style-src"],
  ['img-src', 'connect-src https://example.org; img-src', 'https://example.org as connect-src'],
  ["default-src 'none'", "default-src 'self'", "'self' as default-src"],
  ["frame-ancestors 'none'", "frame-ancestors 'self'", "'self' as frame-ancestors"],
  ...['default-src', 'base-uri', 'form-action', 'frame-ancestors'].map((name) => [`${name} 'none'`, '', `no ${name}`]),
  ['img-src', 'frame-src https://example.org; img-src', 'has frame-src'],
  // Of a directive that is there twice the first counts.
  ['script-src', "script-src 'unsafe-inline'; script-src", "'unsafe-inline' as script-src"],
])('the content policy is refused with %s as %j', (from, to, named) => {
  expect(lockDown.contentPolicyProblem(policy(POLICY.replace(from, to)))).toContain(named)
})

it.each([
  {},
  policy(POLICY, POLICY),
  { 'content-type': ['text/plain; charset=utf-8'] },
  { 'content-type': ['text/html'], ...nosniff },
])('the content policy comes once: %j', (headers) => {
  expect(lockDown.contentPolicyProblem(headers)).toBeTypeOf('string')
})

const requestsOf = () => {
  const refusals: string[] = []
  const { session: locked, call } = session()
  lockDown.restrictRequests(locked, { uiUrl, refused: (why) => refusals.push(why) })
  const cancelled = (name: string, details: object): unknown => {
    let answered: { cancel?: boolean } | undefined
    call(name, details, (answer: { cancel?: boolean }) => {
      answered = answer
    })
    return answered?.cancel
  }
  return { cancelled, refusals }
}

it.each(['https://example.org/a.js', 'http://localhost:7421/', 'file:///etc/passwd', 'ws://localhost:7420/', ''])(
  'requests do not go to %s',
  (url) => {
    expect(lockDown.isOwnRequest({ url, uiUrl })).toBe(false)
    expect(requestsOf().cancelled('before', { url })).toBe(true)
  },
)

it.each([
  `${uiUrl}assets/index.js`,
  'data:image/png;base64,AA',
  'blob:http://localhost:7420/1',
  'devtools://devtools/x',
])('requests may go to %s', (url) => {
  expect(requestsOf().cancelled('before', { url })).toBe(false)
})

it('requests show a document that comes with a strict policy', () => {
  const { cancelled, refusals } = requestsOf()
  const responseHeaders = { 'Content-Type': ['text/html'], 'Content-Security-Policy': [POLICY] }
  expect(cancelled('headers', { url: uiUrl, resourceType: 'mainFrame', responseHeaders })).toBe(false)
  expect(refusals).toEqual([])
})

it('requests show no document without one, and say why', () => {
  const { cancelled, refusals } = requestsOf()
  const responseHeaders = { 'Content-Type': ['text/html'] }
  expect(cancelled('headers', { url: uiUrl, resourceType: 'mainFrame', responseHeaders })).toBe(true)
  expect(refusals).toEqual(['A page must come with one content security policy.'])
  expect(cancelled('headers', { url: uiUrl, resourceType: 'xhr', responseHeaders })).toBe(false)
})
