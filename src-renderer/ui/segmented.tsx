import { useId } from 'react'
import styles from './segmented.module.css'

type SegmentedProps<T extends string> = {
  readonly name: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly text: string }[]
  readonly onPick: (value: T) => void
  readonly disabled?: boolean
}

export const optionsOf = <const V extends readonly string[]>(values: V, texts: Readonly<Record<V[number], string>>) =>
  values.map((value: V[number]) => ({ value, text: texts[value] }))

export const Segmented = <T extends string>({ name, value, options, onPick, disabled }: SegmentedProps<T>) => {
  const group = useId()
  return (
    <div className={`${styles.seg} rounded-8`} role="radiogroup" aria-label={name}>
      {options.map((option) => (
        <label className="choice" key={option.value}>
          <input
            type="radio"
            name={group}
            checked={option.value === value}
            disabled={disabled}
            onChange={() => onPick(option.value)}
          />
          {option.text}
        </label>
      ))}
    </div>
  )
}
