import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Api } from '../api.ts'
import { pageNow } from '../ui/page-clock.ts'
import type { BenchState } from './bench-state.ts'
import type { BenchStore } from './bench-store.ts'
import { benchNow } from './clock-reading.ts'

export type BenchTools = { readonly api: Api; readonly store: BenchStore }

export const BenchContext = createContext<BenchTools | undefined>(undefined)

export const useTools = (): BenchTools => {
  const tools = useContext(BenchContext)
  if (tools === undefined) throw new Error('the bench is used outside its context')
  return tools
}

export const useBench = (): BenchState => {
  const { store } = useTools()
  return useSyncExternalStore(store.subscribe, store.getState)
}

/** One part of it: who shows only that is not drawn again for the rest. */
export const useBenchPart = <T>(part: (state: BenchState) => T): T => {
  const { store } = useTools()
  return useSyncExternalStore(store.subscribe, () => part(store.getState()))
}

/** The workspace's time now; who shows it draws again by useTick. */
export const useBenchNow = (): number => {
  const clock = useBenchPart((state) => state.clock)
  const now = pageNow()
  return clock === undefined ? now : benchNow(clock, now)
}
