import { useId, useState } from 'react'
import styles from './commit-field.module.css'
import { TextField } from './field.tsx'
import { isWithin, type NumberRange, rangeText } from './number-range.ts'

type CommitFieldProps = {
  readonly name: string
  readonly value: string
  readonly onCommit: (value: string) => void
  /** For a number: a value out of range is reported at the field and not applied. */
  readonly range?: NumberRange
  /** Returns the problem of an invalid text, which is not applied either. */
  readonly problemOf?: (text: string) => string | undefined
  readonly unit?: string | undefined
  readonly width?: number
  readonly mono?: boolean
}

/** A field that applies its text on Enter or when it loses the focus, and resets it on Escape. */
export const CommitField = ({
  value,
  onCommit,
  range,
  problemOf = range === undefined ? undefined : (text) => (isWithin(text, range) ? undefined : rangeText(range)),
  ...field
}: CommitFieldProps) => {
  const [draft, setDraft] = useState(value)
  const [problem, setProblem] = useState<string>()
  const wrong = problem !== undefined
  const id = useId()
  const put = (text: string) => {
    setProblem(undefined)
    setDraft(text)
  }
  // A new value replaces the typed text.
  const [applied, setApplied] = useState(value)
  if (value !== applied) {
    setApplied(value)
    setDraft(value)
  }
  const commit = () => {
    if (draft.trim() === '') put(value)
    else {
      const found = problemOf?.(draft)
      setProblem(found)
      if (found === undefined && draft !== value) onCommit(draft)
    }
  }
  return (
    <span className={`${styles.field} middle wraps`}>
      <TextField
        {...field}
        inputMode={range === undefined ? undefined : 'decimal'}
        wrong={wrong}
        aria-describedby={wrong ? id : undefined}
        value={draft}
        onText={put}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          else if (event.key === 'Escape') put(value)
        }}
      />
      {wrong ? (
        <small id={id} className={styles.wrong} role="alert">
          {problem}
        </small>
      ) : null}
    </span>
  )
}
