import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { rangeText } from '../ui/number-range.ts'
import { Segmented } from '../ui/segmented.tsx'
import { texts } from '../ui/texts.ts'
import { type ArmDraft, type Armed, draftOf, type Mistakes, OFTENS, readDraft, type Tunable } from './arming.ts'
import styles from './fault-form.module.css'

type FaultFormProps = {
  readonly fault: Tunable
  readonly onArm: (wanted: Armed) => void
  /** Arms it and plays a ceremony that shows it; absent if none can be played. */
  readonly onTry?: (wanted: Armed) => void
  /** Next to the buttons. */
  readonly children: ReactNode
}

/** How often one fault is triggered, and its parameters. */
export const FaultForm = ({ fault, onArm, onTry, children }: FaultFormProps) => {
  const words = texts.console.faults
  const [draft, setDraft] = useState(() => draftOf(fault))
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const read = readDraft(draft, fault)
  const change = (to: Partial<ArmDraft>) => {
    setMistakes({})
    setDraft({ ...draft, ...to })
  }
  const check = () => setMistakes(read.ok ? {} : read.error)
  const give = (take: (wanted: Armed) => void) => {
    if (read.ok) take(read.value)
    else check()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    give(onTry ?? onArm)
  }
  const field = (name: string, label: string, value: string, onWrite: (text: string) => void) => (
    <NumberField
      key={name}
      label={label}
      unit={words.units[name] ?? ''}
      value={value}
      mistake={mistakes[name]}
      onWrite={onWrite}
      onLeave={check}
    />
  )
  return (
    <form className={styles.form} aria-label={fault.name} onSubmit={submit}>
      <span>{words.often}</span>
      <Segmented
        name={words.often}
        value={draft.often}
        options={OFTENS.map((value) => ({ value, text: words.oftens[value] }))}
        onPick={(often) => change({ often })}
      />
      {draft.often === 'times' ? field('times', words.times, draft.times, (times) => change({ times })) : null}
      {draft.often === 'chance' ? field('chance', words.chance, draft.chance, (chance) => change({ chance })) : null}
      {Object.entries(draft.parameters).map(([name, value]) => {
        const write = (text: string) => change({ parameters: { ...draft.parameters, [name]: text } })
        const label = words.parameters[name] ?? name
        return fault.fields[name]?.kind === 'text' ? (
          <TextField key={name} label={label} value={value} onWrite={write} />
        ) : (
          field(name, label, value, write)
        )
      })}
      {fault.scoped === undefined ? null : (
        <TextField label={words.user} value={draft.user} onWrite={(user) => change({ user })} />
      )}
      <div className={styles.buttons}>
        {onTry === undefined ? null : (
          <Button type="submit" small look="primary">
            {texts.breaking.tryIt}
          </Button>
        )}
        <Button small {...(onTry === undefined ? { type: 'submit', look: 'primary' } : { onClick: () => give(onArm) })}>
          {words.arm}
        </Button>
        {children}
      </div>
    </form>
  )
}

type TextFieldProps = { readonly label: string; readonly value: string; readonly onWrite: (text: string) => void }

const TextField = ({ label, value, onWrite }: TextFieldProps) => {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <span className="field">
        <input id={id} value={value} autoComplete="off" onChange={(event) => onWrite(event.target.value)} />
      </span>
    </>
  )
}

type NumberFieldProps = {
  readonly label: string
  readonly unit: string
  readonly value: string
  readonly mistake: Mistakes[string] | undefined
  readonly onWrite: (text: string) => void
  readonly onLeave: () => void
}

const NumberField = ({ label, unit, value, mistake, onWrite, onLeave }: NumberFieldProps) => {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <span className={styles.field}>
        <span className="field" data-wrong={mistake !== undefined || undefined}>
          <input
            id={id}
            className="mono"
            inputMode="decimal"
            autoComplete="off"
            value={value}
            aria-invalid={mistake !== undefined}
            aria-describedby={mistake === undefined ? undefined : `${id}-wrong`}
            onChange={(event) => onWrite(event.target.value)}
            onBlur={onLeave}
          />
          <span className="unit">{unit}</span>
        </span>
        {mistake === undefined ? null : (
          <small id={`${id}-wrong`} role="alert">
            {rangeText(mistake)}
          </small>
        )}
      </span>
    </>
  )
}
