import { useSyncExternalStore } from 'react'
import { createShared } from '../ui/effects.ts'

export type BreakTarget = {
  readonly of: 'service' | { readonly phone: string }
  readonly fault?: string
  readonly anchor?: Element | undefined
}

const open = createShared<BreakTarget | undefined>(undefined)

/** `undefined` closes the popover. */
export const setBreakTarget = open.set

export const useBreakTarget = (): BreakTarget | undefined => useSyncExternalStore(open.subscribe, open.get)
