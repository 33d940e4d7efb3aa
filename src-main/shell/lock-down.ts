import type { Session, WebContents } from 'electron'
import { isNotesPath, NOTES_WINDOW } from '../core/contract/page-address.ts'
import { contentPolicyProblem } from './content-policy.ts'
import { notesOptions } from './window-options.ts'

/** A window shows our own page and nothing else: a link that leads away opens nowhere. */
export const isOwnPage = ({ url, uiUrl }: { readonly url: string; readonly uiUrl: string }): boolean =>
  URL.canParse(url) && new URL(url).origin === new URL(uiUrl).origin

export const lockNavigation = (contents: WebContents, uiUrl: string): void => {
  contents.on('will-navigate', (event) => {
    if (!isOwnPage({ url: event.url, uiUrl })) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!isOwnPage({ url: event.url, uiUrl })) event.preventDefault()
  })
  contents.setWindowOpenHandler((asked) => {
    if (!isNotesWindow(asked, uiUrl)) return { action: 'deny' }
    return { action: 'allow', overrideBrowserWindowOptions: notesOptions }
  })
  contents.on('did-create-window', (notes) => lockNavigation(notes.webContents, uiUrl))
}

type Asked = { readonly url: string; readonly frameName: string }

/** The speaker's notes are the one window that the page may open: by its name there is one at a time. */
export const isNotesWindow = ({ url, frameName }: Asked, uiUrl: string): boolean => {
  if (frameName !== NOTES_WINDOW || !isOwnPage({ url, uiUrl })) return false
  const { origin, pathname } = new URL(url)
  // No user, no query, no fragment.
  return url === origin + pathname && isNotesPath(pathname)
}

/** What our own page may do; everything else is denied, and every other page is denied everything. */
const PERMISSIONS = {
  media: 'camera-on-asking',
  // The copy buttons write; nothing of ours reads the clipboard.
  'clipboard-sanitized-write': 'granted',
  // The presentation fills the screen.
  fullscreen: 'granted',
} as const satisfies Readonly<Record<string, 'granted' | 'camera-on-asking'>>

export type Wish = {
  readonly permission: string
  readonly url: string
  /** Of a wish for media: what it is for. */
  readonly media?: readonly string[]
}

export const judgeWish = ({ permission, url, media }: Wish, uiUrl: string): 'granted' | 'ask' | 'denied' => {
  if (!Object.hasOwn(PERMISSIONS, permission) || !isOwnPage({ url, uiUrl })) return 'denied'
  if (PERMISSIONS[permission as keyof typeof PERMISSIONS] === 'granted') return 'granted'
  return media?.length === 1 && media[0] === 'video' ? 'ask' : 'denied'
}

/** None where the page has gone, or asks through a worker: then it is no page of ours. */
const addressOf = (contents: WebContents | null): string => {
  try {
    return contents?.getURL() ?? ''
  } catch {
    return ''
  }
}

/** The person is asked once in a run; a no may be taken back by asking again. Sharing the screen is a wish for media of no kind. */
export const lockPermissions = (
  session: Session,
  { uiUrl, askForCamera }: { readonly uiUrl: string; readonly askForCamera: () => Promise<boolean> },
): void => {
  let allowed = false
  const ask = async (): Promise<boolean> => {
    allowed ||= await askForCamera()
    return allowed
  }
  session.setPermissionRequestHandler((contents, permission, answer, details) => {
    const media = 'mediaTypes' in details ? details.mediaTypes : undefined
    const judged = judgeWish({ permission, url: addressOf(contents), ...(media === undefined ? {} : { media }) }, uiUrl)
    if (judged === 'ask') void ask().then(answer, () => answer(false))
    else answer(judged === 'granted')
  })
  session.setPermissionCheckHandler((_, permission, origin, details) => {
    const media = details.mediaType === undefined ? undefined : [details.mediaType]
    const judged = judgeWish({ permission, url: origin, ...(media === undefined ? {} : { media }) }, uiUrl)
    return judged === 'granted' || (judged === 'ask' && allowed)
  })
}

/** Addresses that never leave the window. */
const INTERNAL = ['data:', 'blob:', 'devtools:']

export const isOwnRequest = ({ url, uiUrl }: { readonly url: string; readonly uiUrl: string }): boolean =>
  isOwnPage({ url, uiUrl }) || (URL.canParse(url) && INTERNAL.includes(new URL(url).protocol))

/** Nothing is asked of anybody but our own service, and no page of it is shown without a strict policy. */
export const lockRequests = (
  session: Session,
  { uiUrl, refused }: { readonly uiUrl: string; readonly refused: (why: string) => void },
): void => {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOwnRequest({ url, uiUrl }) }))
  session.webRequest.onHeadersReceived(({ resourceType, responseHeaders = {}, url }, answer) => {
    const isDocument = resourceType === 'mainFrame' || resourceType === 'subFrame'
    const problem = isDocument && isOwnPage({ url, uiUrl }) ? contentPolicyProblem(responseHeaders) : undefined
    if (problem !== undefined) refused(problem)
    answer({ cancel: problem !== undefined })
  })
}
