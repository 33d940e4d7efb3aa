import { useEffect, useRef, useState } from 'react'
import type { Address } from '../ui/address.ts'
import { currentAddress, go } from '../ui/use-address.ts'
import type { OpenedTrace } from './open-trace.ts'

/** A trace waits behind a presentation, and behind pasted data. */
const STAYS_OPEN: ReadonlySet<Address['screen']> = new Set(['trace', 'presenter', 'inspect'])

/** The trace that is open, and the address that names it. During a presentation a new one waits for its end. */
export const useOpenedTrace = (address: Address) => {
  const [trace, setTrace] = useState<OpenedTrace>()
  const open = useRef<OpenedTrace>(undefined)
  const goTo = ({ digest, fileName }: OpenedTrace) => go({ screen: 'trace', trace: digest, name: fileName })
  const waits = useRef(false)
  const isElsewhere = !STAYS_OPEN.has(address.screen)
  if (isElsewhere && trace !== undefined) setTrace(undefined)
  useEffect(() => {
    if (!isElsewhere) return
    open.current?.close()
    open.current = undefined
  }, [isElsewhere])
  const here = address.screen === 'trace' ? address : undefined
  return {
    /** The one at this address, once it is open. */
    trace: trace?.digest === here?.trace ? trace : undefined,
    /** The address names one that is not open. */
    wanted: here !== undefined && trace?.digest !== here.trace ? here : undefined,
    opened: (next: OpenedTrace): void => {
      open.current?.close()
      open.current = next
      waits.current = currentAddress().screen === 'presenter'
      setTrace(next)
      // While it was read, the presentation may have ended.
      const now = currentAddress()
      if (now.screen === 'presenter' || (now.screen === 'trace' && now.trace === next.digest)) return
      goTo(next)
    },
    /** The waiting trace is shown now. */
    goToWaiting: (): boolean => {
      if (!waits.current || trace === undefined) return false
      waits.current = false
      goTo(trace)
      return true
    },
  }
}
