import type { BenchStore } from '../../src-renderer/bench/bench-store.ts'

/** Resolves when the page's state is as wished. */
export const until = (store: BenchStore, wish: (state: ReturnType<BenchStore['getState']>) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (!wish(store.getState())) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = store.subscribe(check)
    check()
  })
