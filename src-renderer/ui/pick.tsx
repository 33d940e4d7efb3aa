import { ChevronDown } from 'lucide-react'
import { useRef } from 'react'
import styles from './pick.module.css'

type PickProps<T extends string> = {
  readonly name: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly text: string }[]
  readonly onPick: (value: T) => void
  readonly className?: string
  /** A last item, which opens something else instead of choosing a value. */
  readonly more?: { readonly text: string; readonly onChoose: () => void }
}

/** No option has this value. */
const MORE = ' more'

/** A native select, so that keyboard and screen reader work as usual. */
export const Pick = <T extends string>({ name, value, options, onPick, className, more }: PickProps<T>) => {
  // In a closed list, an arrow key chooses immediately; users who only browse must not leave the page.
  const byArrow = useRef(false)
  return (
    <span className={className === undefined ? styles.pick : `${styles.pick} ${className}`}>
      <select
        className="narrows ellipsis rounded-6"
        aria-label={name}
        value={value}
        onKeyDown={({ key }) => {
          byArrow.current = key.startsWith('Arrow')
        }}
        onKeyUp={() => {
          byArrow.current = false
        }}
        onChange={({ target }) => {
          if (target.value !== MORE) onPick(target.value as T)
          else if (!byArrow.current) more?.onChoose()
        }}
      >
        {options.map((option) => (
          <option className="ink bg-surface" key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
        {more === undefined ? null : (
          <option className="ink bg-surface" value={MORE}>
            {more.text}
          </option>
        )}
      </select>
      <ChevronDown size={13} />
    </span>
  )
}
