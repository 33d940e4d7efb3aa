import { ChevronDown } from 'lucide-react'
import styles from './pick.module.css'

type PickProps<T extends string> = {
  readonly name: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly text: string }[]
  readonly onPick: (value: T) => void
  readonly className?: string
}

/** A native select dressed as a caption: the keyboard and the screen reader get what they know. */
export const Pick = <T extends string>({ name, value, options, onPick, className }: PickProps<T>) => (
  <span className={className === undefined ? styles.pick : `${styles.pick} ${className}`}>
    <select aria-label={name} value={value} onChange={(event) => onPick(event.target.value as T)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
    <ChevronDown size={13} strokeWidth={1.75} aria-hidden="true" />
  </span>
)
