import { type FormEvent, useId, useState } from 'react'
import { CLOCK_END } from '../../src-main/core/protocol/time.ts'
import { Button } from '../ui/button.tsx'
import commitFieldStyles from '../ui/commit-field.module.css'
import { inputTime, parseInputTime } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'

type SetClockProps = { readonly now: number; readonly onSet: (now: number) => Promise<boolean> }

/** Asks for a time and sets the clock to it; a time that no clock shows is said here and goes nowhere. */
export const SetClock = ({ now, onSet }: SetClockProps) => {
  const words = texts.console.clock
  const id = useId()
  const [setting, setSetting] = useState<string>()
  const [wrong, setWrong] = useState(false)
  if (setting === undefined) {
    return (
      <Button small look="ghost" onClick={() => setSetting(inputTime(now))}>
        {words.set}
      </Button>
    )
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const time = parseInputTime(setting)
    const fits = time !== undefined && time >= 0 && time <= CLOCK_END
    setWrong(!fits)
    if (fits && (await onSet(time))) setSetting(undefined)
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <span className="field" data-wrong={wrong || undefined}>
        <input
          type="datetime-local"
          step={1}
          aria-label={words.setTo}
          aria-invalid={wrong}
          aria-describedby={wrong ? id : undefined}
          value={setting}
          onChange={({ target }) => {
            setWrong(false)
            setSetting(target.value)
          }}
        />
      </span>
      <Button small type="submit">
        {words.apply}
      </Button>
      {wrong ? (
        <small id={id} className={commitFieldStyles.wrong} role="alert">
          {words.wrong}
        </small>
      ) : null}
    </form>
  )
}
