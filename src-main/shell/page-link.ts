import { isPageAddress } from '../core/contract/page-address.ts'

/** A place on the page of a bench, which may be another one. */
export type PageLink = { readonly origin: string; readonly place: string }

/**
 * Takes a link that the page copies. No user, no other path, no fragment: a fragment could bring a code of its own, which
 * the page would take for its session.
 */
export const parsePageLink = (text: string): PageLink | undefined => {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || text.includes('#') || !URL.canParse(text)) return undefined
  const { origin, username, password, pathname, search } = new URL(text)
  const [, rest] = /^(?:\/w\/[A-Za-z0-9_-]{1,64})?(\/.*)?$/.exec(pathname) ?? []
  const isPlace = rest === undefined || rest === '/' || isPageAddress(rest)
  return username === '' && password === '' && isPlace ? { origin, place: pathname + search } : undefined
}

/** The invitation to a bench’s page, at another place of it. */
export const inviteTo = (invitation: string, place: string): string => {
  const { origin, hash } = new URL(invitation)
  return `${origin}${place}${hash}`
}
