import { Zap } from 'lucide-react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { armedRest } from '../ui/armed-rest.ts'
import { texts } from '../ui/texts.ts'
import styles from './armed-faults.module.css'

type ArmedFaultsProps = {
  readonly faults: ControlPhone['faults']
  readonly onDisarm: (id: string) => void
}

/** What a phone will get wrong, and for how long. */
export const ArmedFaults = ({ faults, onDisarm }: ArmedFaultsProps) =>
  faults.map((fault) => (
    <span key={fault.id} className={styles.faultChip}>
      <Zap size={11} strokeWidth={2} aria-hidden="true" />
      {fault.fault}
      <small>{armedRest(fault)}</small>
      <button type="button" aria-label={texts.phone.armed.disarm(fault.fault)} onClick={() => onDisarm(fault.id)}>
        ×
      </button>
    </span>
  ))
