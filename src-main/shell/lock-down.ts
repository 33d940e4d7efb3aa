import type { Session, WebContents } from 'electron'

/** The window shows our own page and nothing else: a link that leads away opens nowhere. */
export const isOwnPage = ({ url, uiUrl }: { readonly url: string; readonly uiUrl: string }): boolean =>
  URL.canParse(url) && new URL(url).origin === new URL(uiUrl).origin

export const lockNavigation = (contents: WebContents, uiUrl: string): void => {
  contents.on('will-navigate', (event) => {
    if (!isOwnPage({ url: event.url, uiUrl })) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!isOwnPage({ url: event.url, uiUrl })) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** Everything is denied; the camera is asked for by the phone's camera view and only by our own page. */
export const isPermitted = (wish: {
  readonly permission: string
  readonly url: string
  readonly uiUrl: string
}): boolean => wish.permission === 'media' && isOwnPage(wish)

export const lockPermissions = (session: Session, uiUrl: string): void => {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(isPermitted({ permission, url: contents.getURL(), uiUrl })),
  )
  session.setPermissionCheckHandler((_, permission, origin) => isPermitted({ permission, url: origin, uiUrl }))
}
