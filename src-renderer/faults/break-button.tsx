import { Zap } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import { type Breaking, breakSomething } from './breaking.ts'

/** Opens the faults of its phone or of the service. */
export const BreakButton = ({ of, name }: { readonly of: Breaking['of']; readonly name?: string }) => (
  <IconButton
    small
    aria-haspopup="dialog"
    data-part="break-button"
    name={of === 'service' ? texts.breaking.service : texts.breaking.phone(name ?? '')}
    onClick={({ currentTarget }) => breakSomething({ of, anchor: currentTarget })}
  >
    <Zap size={14} strokeWidth={1.75} aria-hidden="true" />
  </IconButton>
)
