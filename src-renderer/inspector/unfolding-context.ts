import { createContext, type ReactElement, useContext, useEffect, useState } from 'react'
import type { Bytes } from '../../src-main/core/protocol/bytes.ts'
import type { Inspection } from '../../src-main/views/inspect/inspection.ts'
import { whenDone } from '../ui/effects.ts'

export type ValueInspection = {
  readonly FindingView: (props: { readonly found: Inspection; readonly inner?: boolean }) => ReactElement | null
  readonly lookAt: (text: string, knownRpIds: readonly string[]) => Promise<Inspection>
  /** For example `SHA-256 of "localhost"`; undefined if no known RP ID has this hash. */
  readonly nameHash: (hash: Bytes, knownRpIds: readonly string[]) => Promise<string | undefined>
}

/** Loads the inspection of values on demand. Reports do not include it, because they would be a seventh larger. */
export const ValueInspectionContext = createContext<(() => Promise<ValueInspection>) | undefined>(undefined)

/** Undefined until the inspection is loaded, and always in a report: values then stay unchanged. */
export const useValueInspection = (): ValueInspection | undefined => {
  const load = useContext(ValueInspectionContext)
  const [loaded, setLoaded] = useState<ValueInspection>()
  useEffect(() => {
    const loading = load?.().catch(() => undefined)
    return whenDone(loading, setLoaded)
  }, [load])
  return loaded
}
