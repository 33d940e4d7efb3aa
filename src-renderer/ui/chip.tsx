import type { ReactNode } from 'react'

export type Tone = 'neutral' | 'accent' | 'ok' | 'fail' | 'warn' | 'fault'

export const Chip = ({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className="chip" data-tone={tone}>
    {children}
  </span>
)

export const Dot = ({ tone = 'neutral' }: { readonly tone?: Tone }) => (
  <i className="dot" data-tone={tone} aria-hidden="true" />
)
