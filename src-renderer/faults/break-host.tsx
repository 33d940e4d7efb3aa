import { lazy, Suspense } from 'react'
import { useBreaking } from './breaking.ts'

const BreakPopover = lazy(() => import('./break-popover.tsx').then((part) => ({ default: part.BreakPopover })))

/** Loaded when something is broken for the first time. */
export const BreakHost = () => {
  const breaking = useBreaking()
  return breaking === undefined ? null : (
    <Suspense>
      <BreakPopover breaking={breaking} />
    </Suspense>
  )
}
