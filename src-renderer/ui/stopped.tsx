import { Unplug } from 'lucide-react'
import { Button } from './primitives.tsx'
import { texts } from './texts.ts'

export const Stopped = ({ onRetry }: { readonly onRetry: () => void }) => (
  <div className="floating" role="alert">
    <Unplug className="fail" size={16} />
    <p>{texts.frame.stoppedBody}</p>
    <Button small onClick={onRetry} text={texts.frame.retry} />
  </div>
)
