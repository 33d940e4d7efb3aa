import { type FormEvent, useId, useState } from 'react'
import { openWith } from '../session.ts'
import { Button } from './button.tsx'
import styles from './door.module.css'
import { texts } from './texts.ts'

/** A visitor without a fresh address opens the page with the token of this start, or with another code. */
export const Door = () => {
  const words = texts.gate.door
  const id = useId()
  const [given, setGiven] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const opened = await openWith(given)
    setBusy(false)
    if (opened === 'open') location.reload()
    else setProblem(opened === 'wrong' ? words.wrong : texts.gate.unreachable.title)
  }
  return (
    <form className={styles.door} onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>{words.label}</label>
      <span className="field">
        <input
          id={id}
          type="password"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-help`}
          value={given}
          onChange={({ target }) => {
            setProblem(undefined)
            setGiven(target.value)
          }}
        />
      </span>
      <Button look="primary" type="submit" disabled={busy || given.trim() === ''}>
        {words.open}
      </Button>
      {problem === undefined ? null : <small role="alert">{problem}</small>}
      <small id={`${id}-help`}>{words.help}</small>
    </form>
  )
}
