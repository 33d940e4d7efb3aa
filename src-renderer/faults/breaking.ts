import { useSyncExternalStore } from 'react'

export type BreakTarget = {
  readonly of: 'service' | { readonly phone: string }
  readonly fault?: string
  readonly anchor?: Element | undefined
}

let open: BreakTarget | undefined
const listeners = new Set<() => void>()

/** `undefined` closes the popover. */
export const setBreakTarget = (what: BreakTarget | undefined): void => {
  open = what
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useBreakTarget = (): BreakTarget | undefined => useSyncExternalStore(subscribe, () => open)
