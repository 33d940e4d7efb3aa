import { createContext, useContext, useEffect, useState } from 'react'
import type { Unfolding } from '../inspect/unfolding.ts'

/** How values are looked at, loaded when one is shown. A report has it not: it would be a seventh larger. */
export const UnfoldingContext = createContext<(() => Promise<Unfolding>) | undefined>(undefined)

/** Until it is there, and where it never is, values stay as they are. */
export const useUnfolding = (): Unfolding | undefined => {
  const load = useContext(UnfoldingContext)
  const [loaded, setLoaded] = useState<Unfolding>()
  useEffect(() => {
    let current = true
    void load?.().then(
      (unfolding) => current && setLoaded(unfolding),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [load])
  return loaded
}
