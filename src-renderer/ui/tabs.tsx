import type { KeyboardEvent } from 'react'
import { stepBy } from './effects.ts'
import styles from './tabs.module.css'

type TabsProps<T extends string> = {
  readonly name: string
  /** Prefix of the tab's and panel's ids: `<id>-tab-<value>`, `<id>-panel`. */
  readonly id: string
  readonly value: T
  readonly tabs: readonly { readonly value: T; readonly text: string }[]
  readonly onPick: (value: T) => void
}

/** Arrow keys move and select, as in the ARIA pattern for tabs. */
export const Tabs = <T extends string>({ name, id, value, tabs, onPick }: TabsProps<T>) => {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = stepBy(event, 'ArrowLeft', 'ArrowRight')
    const index = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (step === 0 || next === undefined) return
    onPick(next.value)
    document.getElementById(`${id}-tab-${next.value}`)?.focus()
  }
  return (
    <div className={`${styles.tabs} flex gap-2 stretches`} role="tablist" aria-label={name} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          className="muted relative one-line weight-500"
          key={tab.value}
          type="button"
          role="tab"
          id={`${id}-tab-${tab.value}`}
          aria-selected={tab.value === value}
          aria-controls={`${id}-panel`}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onPick(tab.value)}
        >
          {tab.text}
        </button>
      ))}
    </div>
  )
}
