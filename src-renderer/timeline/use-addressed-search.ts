import { useContext, useEffect, useEffectEvent, useRef } from 'react'
import { isInspecting } from '../ui/address.ts'
import { currentAddress, go, LinkContext, useAddress } from '../ui/use-address.ts'

/** Keeps a search and the page’s address together, in both directions. A report has no address. */
export const useAddressedSearch = (search: string, onSearch: (search: string) => void): void => {
  const address = useAddress()
  const screen = useContext(LinkContext)
  const asked = isInspecting(address) && address.screen === screen ? (address.search ?? '') : undefined
  const follow = useEffectEvent((wanted: string) => onSearch(wanted))
  useEffect(() => {
    if (asked !== undefined) follow(asked)
  }, [asked])
  const write = useEffectEvent(() => {
    const here = currentAddress()
    if (!isInspecting(here) || here.screen !== screen || (here.search ?? '') === search) return
    const { search: _, ...rest } = here
    go(search === '' ? rest : { ...rest, search }, 'replace')
  })
  // Not at first: then it is the address that says what is searched for.
  const first = useRef(true)
  useEffect(() => {
    if (first.current && search === '') first.current = false
    else write()
  }, [search])
}
