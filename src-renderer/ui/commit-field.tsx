import { type ReactNode, useEffect, useState } from 'react'

type CommitFieldProps = {
  readonly name: string
  readonly value: string
  readonly onCommit: (value: string) => void
  readonly type?: 'text' | 'number'
  readonly min?: number
  readonly max?: number
  readonly unit?: string | undefined
  readonly width?: number
  readonly mono?: boolean
  readonly children?: ReactNode
}

/** A field that applies with Enter or when it is left, and goes back with Escape. */
export const CommitField = ({
  name,
  value,
  onCommit,
  type = 'text',
  min,
  max,
  unit,
  width,
  mono = false,
  children,
}: CommitFieldProps) => {
  const [draft, setDraft] = useState(value)
  useEffect(() => setDraft(value), [value])
  const commit = () => {
    if (draft.trim() === '') setDraft(value)
    else if (draft !== value) onCommit(draft)
  }
  return (
    <label className="field" style={width === undefined ? undefined : { width }}>
      {children}
      <input
        aria-label={name}
        type={type}
        className={mono ? 'mono' : undefined}
        value={draft}
        min={min}
        max={max}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          else if (event.key === 'Escape') setDraft(value)
        }}
      />
      {unit === undefined ? null : <span className="unit">{unit}</span>}
    </label>
  )
}
