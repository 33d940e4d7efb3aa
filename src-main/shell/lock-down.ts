import type { Event, Session, WebContents } from 'electron'
import { isNotesPath, NOTES_WINDOW } from '../core/contract/page-address.ts'
import { orNothing } from '../core/protocol/result.ts'
import { notesWindowOptions } from './window-options.ts'

/** A window shows only our own page: links to other sites are blocked. */
export const isOwnPage = ({ url, uiUrl }: { readonly url: string; readonly uiUrl: string }): boolean =>
  URL.canParse(url) && new URL(url).origin === new URL(uiUrl).origin

export const lockNavigation = (contents: WebContents, uiUrl: string): void => {
  const stay = (event: Event<{ readonly url: string }>): void => {
    if (!isOwnPage({ url: event.url, uiUrl })) event.preventDefault()
  }
  contents.on('will-navigate', stay)
  contents.on('will-redirect', stay)
  contents.setWindowOpenHandler((asked) => {
    if (!isNotesWindow(asked, uiUrl)) return { action: 'deny' }
    return { action: 'allow', overrideBrowserWindowOptions: notesWindowOptions }
  })
  contents.on('did-create-window', (notes) => lockNavigation(notes.webContents, uiUrl))
}

type Asked = { readonly url: string; readonly frameName: string }

/** The speaker's notes are the only window that the page may open; its name allows only one at a time. */
export const isNotesWindow = ({ url, frameName }: Asked, uiUrl: string): boolean => {
  if (frameName !== NOTES_WINDOW || !isOwnPage({ url, uiUrl })) return false
  const { origin, pathname } = new URL(url)
  // The address has no user, query or fragment.
  return url === origin + pathname && isNotesPath(pathname)
}

/** The copy buttons write to the clipboard, which the page never reads; the presentation fills the screen. */
const GRANTED = ['clipboard-sanitized-write', 'fullscreen']

export type PermissionRequest = {
  readonly permission: string
  readonly url: string
  readonly media?: readonly string[] | undefined
}

/** Our own page may use the camera when the user allows it; everything else is denied, and other pages get nothing. */
export const judgePermission = (
  { permission, url, media }: PermissionRequest,
  uiUrl: string,
): 'granted' | 'ask' | 'denied' => {
  if (!isOwnPage({ url, uiUrl })) return 'denied'
  if (GRANTED.includes(permission)) return 'granted'
  return permission === 'media' && media?.length === 1 && media[0] === 'video' ? 'ask' : 'denied'
}

/** Empty if the page is gone or a worker asks; an empty address does not count as our page. */
const addressOf = (contents: WebContents | null): string => orNothing(() => contents?.getURL()) ?? ''

/** A grant lasts for the run, a denial does not. A request to share the screen has no media type, so it is denied. */
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
    const judged = judgePermission({ permission, url: addressOf(contents), media }, uiUrl)
    if (judged === 'ask') void ask().then(answer, () => answer(false))
    else answer(judged === 'granted')
  })
  session.setPermissionCheckHandler((_, permission, origin, details) => {
    const media = details.mediaType === undefined ? undefined : [details.mediaType]
    const judged = judgePermission({ permission, url: origin, media }, uiUrl)
    return judged === 'granted' || (judged === 'ask' && allowed)
  })
}

/** Schemes that never reach the network. */
const INTERNAL = ['data:', 'blob:', 'devtools:']

export const isOwnRequest = ({ url, uiUrl }: { readonly url: string; readonly uiUrl: string }): boolean =>
  isOwnPage({ url, uiUrl }) || (URL.canParse(url) && INTERNAL.includes(new URL(url).protocol))

/** Allows requests to our own service only, and its pages only with a strict content policy. */
export const restrictRequests = (
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

type Headers = Readonly<Record<string, readonly string[]>>

/** A strict policy denies first and then allows only the page's own sources. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'none'", "'self'", "'wasm-unsafe-eval'"],
  'style-src': ["'none'", "'self'"],
  'connect-src': ["'none'", "'self'"],
  'font-src': ["'none'", "'self'"],
  'img-src': ["'none'", "'self'", 'data:', 'blob:'],
  'media-src': ["'none'", "'self'", 'blob:'],
  'manifest-src': ["'none'", "'self'"],
  'worker-src': ["'none'", "'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

// CSP 3 §6.1 and §6.3: fetch directives fall back to default-src; the other three have no fallback.
const REQUIRED = ['default-src', 'base-uri', 'form-action', 'frame-ancestors']

export const contentPolicyProblem = (headers: Headers): string | undefined => {
  const values = (name: string): readonly string[] =>
    Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? value : []))
  // Plain text and JSON run no scripts, and X-Content-Type-Options keeps them from being taken for HTML.
  const isText = /^(text\/plain|application\/json)\b/i.test(values('content-type')[0] ?? '')
  if (isText && values('x-content-type-options').some((value) => /^nosniff$/i.test(value.trim()))) return undefined
  const [policy, ...others] = values('content-security-policy')
  if (policy === undefined || others.length > 0) return 'A page must come with one content security policy.'
  return policyProblem(policy)
}

const policyProblem = (policy: string): string | undefined => {
  const directives = new Map<string, readonly string[]>()
  for (const text of policy.split(';')) {
    const [name, ...sources] = text.trim().split(/\s+/)
    if (name === undefined || name === '') continue
    // CSP 3 §2.2.1: only the first of a repeated directive counts.
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources)
  }
  for (const name of REQUIRED) if (!directives.has(name)) return `The content security policy has no ${name}.`
  for (const [name, sources] of directives) {
    const allowed = ALLOWED[name]
    if (allowed === undefined) return `The content security policy has ${name}, which is not expected.`
    const wide = sources.find((source) => !allowed.includes(source))
    if (wide !== undefined) return `The content security policy allows ${wide} as ${name}.`
  }
  return undefined
}
