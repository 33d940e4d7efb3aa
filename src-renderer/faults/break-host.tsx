import { lazy, Suspense } from 'react'
import { useBreakTarget } from './breaking.ts'

const BreakPopover = lazy(() => import('./break-popover.tsx').then((part) => ({ default: part.BreakPopover })))

export const BreakHost = () => {
  const breaking = useBreakTarget()
  return breaking === undefined ? null : (
    <Suspense>
      <BreakPopover breaking={breaking} />
    </Suspense>
  )
}
