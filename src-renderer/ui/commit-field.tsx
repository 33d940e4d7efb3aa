import { type ReactNode, useId, useState } from 'react'
import { isWithin, type NumberRange, rangeText } from './number-range.ts'

type CommitFieldProps = {
  readonly name: string
  readonly value: string
  readonly onCommit: (value: string) => void
  /** The field is for a number: one that does not fit is said at the field and not applied. */
  readonly range?: NumberRange
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
  range,
  unit,
  width,
  mono = false,
  children,
}: CommitFieldProps) => {
  const [draft, setDraft] = useState(value)
  const [wrong, setWrong] = useState(false)
  const id = useId()
  const put = (text: string) => {
    setWrong(false)
    setDraft(text)
  }
  // A new value takes the place of what was typed.
  const [applied, setApplied] = useState(value)
  if (value !== applied) {
    setApplied(value)
    setDraft(value)
  }
  const commit = () => {
    if (draft.trim() === '') put(value)
    else if (range !== undefined && !isWithin(draft, range)) setWrong(true)
    else if (draft !== value) onCommit(draft)
  }
  return (
    <span className="commit-field">
      <label className="field" data-wrong={wrong || undefined} style={width === undefined ? undefined : { width }}>
        {children}
        <input
          aria-label={name}
          inputMode={range === undefined ? undefined : 'decimal'}
          aria-invalid={wrong}
          aria-describedby={wrong ? id : undefined}
          className={mono ? 'mono' : undefined}
          value={draft}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => put(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
            else if (event.key === 'Escape') put(value)
          }}
        />
        {unit === undefined ? null : <span className="unit">{unit}</span>}
      </label>
      {wrong && range !== undefined ? (
        <small id={id} className="wrong" role="alert">
          {rangeText(range)}
        </small>
      ) : null}
    </span>
  )
}
