import { ShieldCheck, ShieldOff } from 'lucide-react'
import type { RpCare } from '../../src-main/core/contract/rp-care.ts'
import { texts } from '../ui/texts.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'
import styles from './care-switch.module.css'

/** Whether the RP checks what the service answers, or believes it. */
export const CareSwitch = ({ rpId }: { readonly rpId: string }) => {
  const words = texts.rp.care
  const { act } = useAct()
  const params = { rp: rpId }
  const care = useAsked((client) => client.call('simulator.get', { params }), rpId)?.care ?? 'careful'
  const other: RpCare = care === 'careful' ? 'careless' : 'careful'
  const Icon = care === 'careful' ? ShieldCheck : ShieldOff
  return (
    <button
      type="button"
      role="switch"
      className={styles.care}
      data-care={care}
      aria-checked={care === 'careful'}
      aria-label={words.name}
      title={words.leads[care]}
      onClick={() => void act((client) => client.call('simulator.patch', { params, body: { care: other } }))}
    >
      <Icon size={13} strokeWidth={1.75} aria-hidden="true" />
      {words.cares[care]}
    </button>
  )
}
