import type { LinkProblem } from '../core/contract/link-problems.ts'
import { isPageAddress } from '../core/contract/page-address.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { parseMessageAddress } from '../core/protocol/message-address.ts'
import { err, ok, orNothing, type Result } from '../core/protocol/result.ts'

/** Anyone can write a link, so the list is short and fixed. */
export type HandsetLink =
  | { readonly action: 'show' }
  | ({ readonly action: 'open' } & PageLink)
  | { readonly action: 'scan'; readonly url: string; readonly phone?: string; readonly workspace?: string }

export const LINK_SCHEME = 'handset'

const LONGEST = 2048

/** The parameters that each action allows; `url` is required, the others are optional. */
const PARAMETERS: Readonly<Record<HandsetLink['action'], readonly string[]>> = {
  show: [],
  open: ['url'],
  scan: ['url', 'phone', 'workspace'],
}

const ID = /^[A-Za-z0-9_-]{1,64}$/

/** True for a link in the form of the page’s *Copy link*. */
export const looksLikePageLink = (text: string): boolean => /^https?:/i.test(text)

export const looksLikeHandsetLink = (text: string): boolean => /^handset:/i.test(text)

/** `handset:show`, `handset:open?url=…`, `handset:scan?url=…[&phone=…][&workspace=…]`, or the page’s own link; no other. */
export const parseHandsetLink = (text: string): Result<HandsetLink, LinkProblem> => {
  if (text.length > LONGEST) {
    return err({ code: 'link_too_long', params: { length: text.length, longest: LONGEST } })
  }
  if (looksLikePageLink(text)) return openLink(text)
  const [, action, query] = /^handset:([a-z]+)(?:\?([\x21-\x7e]+))?$/.exec(text) ?? []
  if (action === undefined || query?.includes('#') === true) return err({ code: 'link_unreadable' })
  if (!isAction(action)) return err({ code: 'link_unknown', params: { action, known: Object.keys(PARAMETERS) } })
  const parameters = parseQuery(query ?? '')
  if (!parameters.ok) return parameters
  const stranger = [...parameters.value.keys()].find((name) => !PARAMETERS[action].includes(name))
  if (stranger !== undefined) return err({ code: 'link_parameter_unknown', params: { action, name: stranger } })
  if (action === 'show') return ok({ action })
  const url = parameters.value.get('url')
  if (url === undefined) return err({ code: 'link_parameter_missing', params: { action, name: 'url' } })
  return action === 'open' ? openLink(url) : scanLink(url, parameters.value)
}

const scanLink = (url: string, parameters: ReadonlyMap<string, string>): Result<HandsetLink, LinkProblem> => {
  const address = parseMessageAddress(url)
  if (!address.ok || !isPlainAddress(address.value.baseUrl)) return err({ code: 'link_without_code' })
  for (const name of ['phone', 'workspace']) {
    const id = parameters.get(name)
    if (id !== undefined && !ID.test(id)) return err({ code: 'link_id_unfit', params: { name } })
  }
  const phone = parameters.get('phone')
  const workspace = parameters.get('workspace')
  return ok({ action: 'scan', url, ...withoutUndefined({ phone, workspace }) })
}

const isAction = (text: string): text is HandsetLink['action'] => Object.hasOwn(PARAMETERS, text)

/** True for an address as the service writes it: without user, query and second fragment. */
const isPlainAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && url.username + url.password + url.search + url.hash === ''
}

const parseQuery = (query: string): Result<ReadonlyMap<string, string>, LinkProblem> => {
  const parameters = new Map<string, string>()
  for (const pair of query === '' ? [] : query.split('&')) {
    const equals = pair.indexOf('=')
    const name = pair.slice(0, equals)
    const value = orNothing(() => decodeURIComponent(pair.slice(equals + 1)))
    if (equals < 1 || value === undefined) return err({ code: 'link_parameters_unreadable' })
    if (parameters.has(name)) return err({ code: 'link_parameter_twice', params: { name } })
    parameters.set(name, value)
  }
  return ok(parameters)
}

export type PageLink = { readonly origin: string; readonly place: string }

/** Refuses a user name, a password, an unknown path and a fragment: a code in a fragment would open a session. */
const openLink = (text: string): Result<HandsetLink, LinkProblem> => {
  const nowhere = err({ code: 'link_to_no_place' } as const)
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || text.includes('#') || !URL.canParse(text)) return nowhere
  const { origin, username, password, pathname, search } = new URL(text)
  const [, rest] = /^(?:\/w\/[A-Za-z0-9_-]{1,64})?(\/.*)?$/.exec(pathname) ?? []
  const isPlace = rest === undefined || rest === '/' || isPageAddress(rest)
  if (username !== '' || password !== '' || !isPlace) return nowhere
  return ok({ action: 'open', origin, place: pathname + search })
}

export const invitationWithPlace = (invitation: string, place: string): string => {
  const { origin, hash } = new URL(invitation)
  return `${origin}${place}${hash}`
}
