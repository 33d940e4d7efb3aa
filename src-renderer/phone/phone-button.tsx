import type { LucideIcon } from 'lucide-react'
import styles from './phone-button.module.css'

type PhoneButtonProps = { readonly text: string; readonly Icon?: LucideIcon; readonly onClick: () => void }

export const PhoneButton = ({ text, Icon, onClick }: PhoneButtonProps) => (
  <button
    type="button"
    className={Icon === undefined ? styles.button : `${styles.button} row gap-8 centre`}
    data-part="phone-button"
    onClick={onClick}
  >
    {Icon === undefined ? null : <Icon size={15} />}
    {text}
  </button>
)
