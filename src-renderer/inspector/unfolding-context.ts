import { type ComponentType, createContext, useContext, useEffect, useState } from 'react'
import type { Bytes } from '../../src-main/core/protocol/bytes.ts'
import type { Inspection } from '../../src-main/views/inspect/inspection.ts'

export type Unfolding = {
  readonly FindingView: ComponentType<{ readonly found: Inspection; readonly inner?: boolean }>
  /** Inspects a value within a message. */
  readonly lookAt: (text: string, knownRpIds: readonly string[]) => Promise<Inspection>
  /** `SHA-256 of "localhost"`, where it is that of an RP ID that is known. */
  readonly nameHash: (hash: Bytes, knownRpIds: readonly string[]) => Promise<string | undefined>
}

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
