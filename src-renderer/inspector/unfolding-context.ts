import { createContext, type ReactElement, useContext, useEffect, useState } from 'react'
import type { Bytes } from '../../src-main/core/protocol/bytes.ts'
import type { Inspection } from '../../src-main/views/inspect/inspection.ts'
import { awaiting } from '../ui/effects.ts'

export type Unfolding = {
  readonly FindingView: (props: { readonly found: Inspection; readonly inner?: boolean }) => ReactElement | null
  readonly lookAt: (text: string, knownRpIds: readonly string[]) => Promise<Inspection>
  /** For example `SHA-256 of "localhost"`; undefined if no known RP ID has this hash. */
  readonly nameHash: (hash: Bytes, knownRpIds: readonly string[]) => Promise<string | undefined>
}

/** Loads the inspection of values on demand. Reports do not include it, because they would be a seventh larger. */
export const UnfoldingContext = createContext<(() => Promise<Unfolding>) | undefined>(undefined)

/** Undefined until the inspection is loaded, and always in a report: values then stay unchanged. */
export const useUnfolding = (): Unfolding | undefined => {
  const load = useContext(UnfoldingContext)
  const [loaded, setLoaded] = useState<Unfolding>()
  useEffect(() => {
    const loading = load?.().catch(() => undefined)
    return awaiting(loading, setLoaded)
  }, [load])
  return loaded
}
