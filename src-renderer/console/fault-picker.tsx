import { SlidersHorizontal } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Body } from '../../src-main/sdk/client.ts'
import { IconButton } from '../ui/button.tsx'
import { faultText } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import { useAsked } from '../ui/use-asked.ts'
import { FaultForm } from './fault-form.tsx'
import styles from './fault-picker.module.css'
import { FaultSearch, faultsWith } from './fault-search.tsx'

type FaultPickerProps = {
  readonly onArm: (wanted: Body<'phones.arm'>) => void
  readonly onClose: () => void
}

/** Finds a fault among all of them, by its name or by what goes wrong. A click arms it once; the form beside it, otherwise. */
export const FaultPicker = ({ onArm, onClose }: FaultPickerProps) => {
  const words = texts.console.faults
  const answer = useAsked((client) => client.call('catalogue.faults'))
  const [wanted, setWanted] = useState('')
  const [tuned, setTuned] = useState<string>()
  const all = answer?.faults ?? []
  const found = faultsWith(wanted, all, faultText)
  const leave = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (tuned === undefined) return onClose()
    setTuned(undefined)
    event.currentTarget.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape bubbles up from what has the focus in here.
    <div className={styles.picker} onKeyDown={leave}>
      <FaultSearch label={words.search(all.length)} value={wanted} onChange={setWanted} />
      <ul aria-label={words.list}>
        {found.map((fault) => (
          <li key={fault.name} data-open={tuned === fault.name || undefined}>
            <button type="button" onClick={() => onArm({ fault: fault.name })}>
              <span>{faultText(fault.name)}</span>
              <small>{words.ceremonies[fault.ceremony]}</small>
              <code>{fault.name}</code>
            </button>
            <IconButton
              small
              name={words.tune(fault.name)}
              aria-expanded={tuned === fault.name}
              onClick={() => setTuned(tuned === fault.name ? undefined : fault.name)}
            >
              <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
            {tuned === fault.name ? <FaultForm fault={fault} onArm={onArm} /> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
