import type * as Electron from 'electron'
import { commands, isReady, report } from './machine.ts'
import { offer } from './noted.ts'
import type { Page } from './page.ts'
import { refuse } from './rules.ts'

type Answer = (response: { cancel?: boolean; responseHeaders?: Record<string, string | string[]> }) => void
type RequestListener = (details: never, answer: Answer) => void
type PermissionRequest = Parameters<Electron.Session['setPermissionRequestHandler']>[0]
type PermissionCheck = Parameters<Electron.Session['setPermissionCheckHandler']>[0]

// electron:api/web-request: only the last listener of each event counts.
let beforeRequest: RequestListener | undefined
let headersReceived: RequestListener | undefined
let permissionRequest: PermissionRequest = null
let permissionCheck: PermissionCheck = null

const webRequest = offer('WebRequest', {
  onBeforeRequest: (listener: RequestListener): void => {
    beforeRequest = listener
  },
  onHeadersReceived: (listener: RequestListener): void => {
    headersReceived = listener
  },
})

const defaultSession = offer('Session', {
  webRequest,
  setPermissionRequestHandler: (handler: PermissionRequest): void => {
    permissionRequest = handler
  },
  setPermissionCheckHandler: (handler: PermissionCheck): void => {
    permissionCheck = handler
  },
})

export const session = {
  get defaultSession() {
    return isReady() ? defaultSession : refuse('session.ready')
  },
}

// electron:api/web-request, details.resourceType.
const TYPES: Readonly<Record<string, string>> = {
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  Media: 'media',
  XHR: 'xhr',
  Fetch: 'xhr',
  EventSource: 'xhr',
  Ping: 'ping',
  CSPViolationReport: 'cspReport',
}

const ask = (listener: RequestListener | undefined, details: object): Promise<boolean> =>
  new Promise((resolve) => {
    if (listener === undefined) return resolve(true)
    let answered = false
    listener(details as never, ({ cancel }) => {
      if (answered) refuse('callback.once')
      answered = true
      resolve(cancel !== true)
    })
  })

export type Navigation = { readonly url: string; readonly isRedirect: boolean }

/** Where a service that leads away leads to. */
let redirect = { path: '', to: '' }
commands.on('redirect', (wanted: typeof redirect) => {
  redirect = wanted
})

/** Every request of a page passes through the session; a navigation that the page began is the window's to judge first. */
export const passRequests = async (
  { session: devTools, mainFrame }: Page,
  mayNavigate: (to: Navigation) => boolean,
): Promise<void> => {
  devTools.on('Fetch.requestPaused', (paused) => {
    const { requestId, request, resourceType, frameId, responseStatusCode, responseHeaders = [] } = paused
    const isFrame = resourceType === 'Document'
    const details = {
      url: request.url,
      method: request.method,
      resourceType: isFrame ? (frameId === mainFrame ? 'mainFrame' : 'subFrame') : (TYPES[resourceType] ?? 'other'),
    }
    const blocked = async (asked: Promise<boolean>) => ((await asked) ? undefined : 'BlockedByClient')
    const refusal = async (): Promise<'Aborted' | 'BlockedByClient' | undefined> => {
      if (responseStatusCode === undefined && paused.responseErrorReason === undefined) {
        const to = { url: request.url, isRedirect: paused.redirectedRequestId !== undefined }
        // shell/browser/electron_navigation_throttle.cc: a navigation that is prevented ends without a word, and the page stays.
        if (details.resourceType === 'mainFrame' && !mayNavigate(to)) return 'Aborted'
        return blocked(ask(beforeRequest, details))
      }
      const headers: Record<string, string[]> = {}
      for (const { name, value } of responseHeaders) headers[name] = [...(headers[name] ?? []), value]
      return blocked(ask(headersReceived, { ...details, statusCode: responseStatusCode, responseHeaders: headers }))
    }
    const proceed = async (): Promise<void> => {
      const errorReason = await refusal()
      if (errorReason === undefined) {
        if (new URL(request.url).pathname !== redirect.path) {
          return void (await devTools.send('Fetch.continueRequest', { requestId }))
        }
        const responseHeaders = [{ name: 'Location', value: redirect.to }]
        return void (await devTools.send('Fetch.fulfillRequest', { requestId, responseCode: 302, responseHeaders }))
      }
      report('cancelled', details)
      await devTools.send('Fetch.failRequest', { requestId, errorReason })
    }
    proceed()
      // The page was closed meanwhile.
      .catch(() => undefined)
  })
  await devTools.send('Fetch.enable', { patterns: [{ requestStage: 'Request' }, { requestStage: 'Response' }] })
}

type Wish = { readonly permission: string; readonly mediaTypes?: readonly string[] }

/** electron:api/session: a check that is denied is followed by a request, which may ask the person. */
const judge = (contents: unknown, page: Page, { permission, mediaTypes }: Wish): Promise<boolean> => {
  const url = page.url()
  const details = { requestingUrl: url, isMainFrame: true, securityOrigin: `${new URL(url).origin}/` }
  if (mediaTypes === undefined) {
    const check = permissionCheck
    if (check?.(contents as never, permission as never, new URL(url).origin, details as never) === true) {
      return Promise.resolve(true)
    }
  }
  const request = permissionRequest
  // Without a handler Electron grants everything.
  if (request === null) return Promise.resolve(true)
  return new Promise((resolve) => {
    request(contents as never, permission as never, resolve, {
      ...details,
      ...(mediaTypes === undefined ? {} : { mediaTypes }),
    } as never)
  })
}

/** In the page: what Chromium would ask the program about is asked before it is done. */
const IN_PAGE = `(() => {
  const ask = (permission, mediaTypes) => globalThis.standInAsk({ permission, mediaTypes })
  const denied = () => new DOMException('Permission denied', 'NotAllowedError')
  const media = navigator.mediaDevices
  if (media !== undefined) {
    const get = media.getUserMedia.bind(media)
    media.getUserMedia = async (wish) => {
      const types = [...(wish.audio ? ['audio'] : []), ...(wish.video ? ['video'] : [])]
      if (!(await ask('media', types))) throw denied()
      return get(wish)
    }
  }
  // web_contents_permission_helper.cc: a wish for media that names none; without a handler of its own it is not supported.
  if (media !== undefined) {
    media.getDisplayMedia = async () => {
      throw (await ask('media', [])) ? new DOMException('Not supported', 'NotSupportedError') : denied()
    }
  }
  if (navigator.clipboard !== undefined) {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard)
    navigator.clipboard.writeText = async (text) => {
      if (!(await ask('clipboard-sanitized-write'))) throw denied()
      return write(text).catch(() => undefined)
    }
  }
  navigator.geolocation.getCurrentPosition = async (found, failed) => {
    if (await ask('geolocation')) found({})
    else failed?.({ code: 1 })
  }
  globalThis.open = (url, frameName = '') => {
    void globalThis.standInOpen({ url: new URL(url, location.href).href, frameName })
    return null
  }
})()`

export const askBeforeUse = async (
  contents: unknown,
  page: Page,
  opened: (asked: { url: string; frameName: string }) => void,
): Promise<void> => {
  await page.expose('standInAsk', async (wish: Wish) => {
    const granted = await judge(contents, page, wish)
    report('permission', { permission: wish.permission, mediaTypes: wish.mediaTypes, granted })
    return granted
  })
  await page.expose('standInOpen', opened)
  await page.runFirst(IN_PAGE)
}
