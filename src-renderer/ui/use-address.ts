import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { escapeInvisible } from '../../src-main/core/protocol/visible.ts'
import { placeOf } from '../session.ts'
import { type About, type Address, addressAbout, formatAddress, type Inspecting, parseAddress } from './address.ts'
import { onWindow } from './effects.ts'
import { texts } from './texts.ts'

const subscribe = (listener: () => void) => onWindow('popstate', listener)

let read: { readonly href: string; readonly address: Address } | undefined

/** The same object until the address changes. */
export const currentAddress = (): Address => {
  const { href, pathname, search } = location
  if (read?.href !== href) read = { href, address: parseAddress(pathname.replace(/^\/w\/[^/]+/, ''), search) }
  return read.address
}

export const useAddress = (): Address => useSyncExternalStore(subscribe, currentAddress)

/** Path and query within this host; they always include the workspace. */
export const addressPath = (address: Address): string => {
  const rest = formatAddress(address)
  const { workspace } = placeOf(location)
  return workspace === 'main' && /^\/(?:\?|$)/.test(rest) ? rest : `/w/${workspace}${rest}`
}

export const linkTo = (address: Address): string => location.origin + addressPath(address)

/** The screen that links of the inspector open; undefined in a report. */
export const LinkContext = createContext<Inspecting['screen'] | undefined>('bench')

export const useLinkOf = (): ((about: About) => string) | undefined => {
  const screen = useContext(LinkContext)
  if (screen === undefined) return undefined
  return (about) => linkTo(addressAbout(currentAddress(), about))
}

/** `replace` adds no history entry, because users need not return to the view before. */
export const navigateTo = (address: Address, how: 'push' | 'replace' = 'push'): void => {
  const path = addressPath(address)
  if (path === location.pathname + location.search) return
  if (how === 'push') history.pushState(null, '', path)
  else history.replaceState(null, '', path)
  // The browser reports only steps in its history.
  dispatchEvent(new PopStateEvent('popstate'))
}

/** `undefined`: another component sets the title. */
export const useTitle = (title: string | undefined): void => {
  useEffect(() => {
    if (title === undefined) return
    const { workspace } = placeOf(location)
    document.title = escapeInvisible([title, ...(workspace === 'main' ? [] : [workspace]), texts.product].join(' · '))
  }, [title])
}
