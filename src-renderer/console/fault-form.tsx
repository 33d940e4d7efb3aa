import { type FormEvent, useId, useState } from 'react'
import type { Body } from '../../src-main/sdk/client.ts'
import { Button } from '../ui/button.tsx'
import { rangeText } from '../ui/number-range.ts'
import { Segmented } from '../ui/segmented.tsx'
import { texts } from '../ui/texts.ts'
import { type ArmDraft, draftOf, type Mistakes, readDraft, type Tunable } from './arming.ts'
import styles from './fault-form.module.css'

type FaultFormProps = {
  readonly fault: Tunable & { readonly name: string }
  readonly onArm: (wanted: Body<'phones.arm'>) => void
}

/** How often one fault strikes, and what can be changed of it. */
export const FaultForm = ({ fault, onArm }: FaultFormProps) => {
  const words = texts.console.faults
  const [draft, setDraft] = useState(() => draftOf(fault))
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const read = readDraft(draft, fault)
  const change = (to: Partial<ArmDraft>) => {
    setMistakes({})
    setDraft({ ...draft, ...to })
  }
  const check = () => setMistakes(read.ok ? {} : read.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (read.ok) onArm(read.value)
    else check()
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
        options={(['times', 'chance'] as const).map((value) => ({ value, text: words.oftens[value] }))}
        onPick={(often) => change({ often })}
      />
      {draft.often === 'times'
        ? field('times', words.times, draft.times, (times) => change({ times }))
        : field('chance', words.chance, draft.chance, (chance) => change({ chance }))}
      {Object.entries(draft.parameters).map(([name, value]) =>
        field(name, words.parameters[name] ?? name, value, (text) =>
          change({ parameters: { ...draft.parameters, [name]: text } }),
        ),
      )}
      <Button type="submit" small look="primary">
        {words.arm}
      </Button>
    </form>
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
