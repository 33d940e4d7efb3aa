import { createContext, useContext, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { Api } from '../api.ts'
import { runEvery } from '../ui/effects.ts'
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

/** The component renders again only when this part changes, so `part` must be stable. */
export const useBenchPart = <T>(part: (state: BenchState) => T): T => {
  const { store } = useTools()
  return useSyncExternalStore(store.subscribe, () => part(store.getState()))
}

/** Callers need useTick to render again. */
export const useBenchNow = (): number => {
  const clock = useBenchPart((state) => state.clock)
  const now = pageNow()
  return clock === undefined ? now : benchNow(clock, now)
}

/** Like useBenchPart, but sampled at this interval, for components that render at that pace anyway. */
export const useSampled = <T>(part: (state: BenchState) => T, ms: number): T => {
  const { store } = useTools()
  const [sample, setSample] = useState(() => ({ of: part(store.getState()) }))
  const take = useEffectEvent(() => setSample({ of: part(store.getState()) }))
  useEffect(() => runEvery(ms, () => take()), [ms])
  return sample.of
}
