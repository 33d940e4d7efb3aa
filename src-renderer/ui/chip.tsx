import type { ReactNode } from 'react'
import styles from './chip.module.css'

export type Tone = 'neutral' | 'accent' | 'ok' | 'fail' | 'warn' | 'fault'

export const Chip = ({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`${styles.chip} small muted`} data-tone={tone}>
    {children}
  </span>
)

export const Dot = ({ tone = 'neutral' }: { readonly tone?: Tone }) => (
  <i className={`${styles.dot} rigid circle`} data-tone={tone} aria-hidden="true" />
)
