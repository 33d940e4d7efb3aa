import { useSyncExternalStore } from 'react'

export type Breaking = {
  readonly of: 'service' | { readonly phone: string }
  readonly fault?: string
  readonly anchor?: Element | undefined
}

let open: Breaking | undefined
const listeners = new Set<() => void>()

/** `undefined` closes the popover. */
export const breakSomething = (what: Breaking | undefined): void => {
  open = what
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useBreakTarget = (): Breaking | undefined => useSyncExternalStore(subscribe, () => open)
