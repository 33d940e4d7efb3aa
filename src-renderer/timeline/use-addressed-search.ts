import { useEffect, useEffectEvent, useRef } from 'react'
import { currentAddress, go, useAddress } from '../ui/use-address.ts'

/** Keeps a search and the page’s address together, in both directions. */
export const useAddressedSearch = (addressed: boolean, search: string, onSearch: (search: string) => void): void => {
  const address = useAddress()
  const asked = addressed && address.screen === 'bench' ? (address.search ?? '') : undefined
  const follow = useEffectEvent((wanted: string) => onSearch(wanted))
  useEffect(() => {
    if (asked !== undefined) follow(asked)
  }, [asked])
  const write = useEffectEvent(() => {
    const here = currentAddress()
    if (!addressed || here.screen !== 'bench' || (here.search ?? '') === search) return
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
