import { useEffect, useRef, useState } from 'react'
import type { Address } from '../ui/address.ts'
import { currentAddress, navigateTo } from '../ui/use-address.ts'
import type { OpenedTrace } from './open-trace.ts'

const STAYS_OPEN: ReadonlySet<Address['screen']> = new Set(['trace', 'presenter', 'inspect'])

/** A trace opened during a presentation is shown when the presentation ends. */
export const useOpenedTrace = (address: Address) => {
  const [trace, setTrace] = useState<OpenedTrace>()
  const open = useRef<OpenedTrace>(undefined)
  const goTo = ({ digest, fileName }: OpenedTrace) => navigateTo({ screen: 'trace', trace: digest, name: fileName })
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
    trace: trace?.digest === here?.trace ? trace : undefined,
    wanted: here !== undefined && trace?.digest !== here.trace ? here : undefined,
    opened: (next: OpenedTrace): void => {
      open.current?.close()
      open.current = next
      waits.current = currentAddress().screen === 'presenter'
      setTrace(next)
      // The presentation may have ended while the trace was read.
      const now = currentAddress()
      if (now.screen === 'presenter' || (now.screen === 'trace' && now.trace === next.digest)) return
      goTo(next)
    },
    goToWaiting: (): boolean => {
      if (!waits.current || trace === undefined) return false
      waits.current = false
      goTo(trace)
      return true
    },
  }
}
