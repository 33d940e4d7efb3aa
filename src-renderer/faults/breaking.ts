import { useSyncExternalStore } from 'react'

/** The phone or the service to break, and the fault to open first. */
export type Breaking = {
  /** A phone's id. */
  readonly of: 'service' | { readonly phone: string }
  readonly fault?: string
  /** Position of the popover. */
  readonly anchor?: Element | undefined
}

let open: Breaking | undefined
const listeners = new Set<() => void>()

/** Opens *Break something*, or closes it. */
export const breakSomething = (what: Breaking | undefined): void => {
  open = what
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useBreakTarget = (): Breaking | undefined => useSyncExternalStore(subscribe, () => open)
