import type { LucideIcon } from 'lucide-react'

type PhoneButtonProps = { readonly text: string; readonly Icon?: LucideIcon; readonly onClick: () => void }

export const PhoneButton = ({ text, Icon, onClick }: PhoneButtonProps) => (
  <button
    type="button"
    className="row rigid centre gap-8 h-40 rounded-20 weight-560 os-card os-hovers"
    data-part="phone-button"
    onClick={onClick}
  >
    {Icon === undefined ? null : <Icon size={15} />}
    {text}
  </button>
)
