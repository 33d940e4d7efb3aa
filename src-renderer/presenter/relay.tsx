import { Unplug } from 'lucide-react'
import { texts } from '../ui/texts.ts'
import styles from './relay.module.css'

type RelayProps = {
  /** The bank has made a code. */
  readonly begun: boolean
  /** The sign-in was refused: there is nothing that the bank lets through. */
  readonly cut: boolean
}

/** From the real bank to the page below it: the way of the code. */
export const Relay = ({ begun, cut }: RelayProps) => (
  <div
    className={styles.relay}
    data-part="relay"
    data-begun={begun || undefined}
    data-cut={cut || undefined}
    aria-hidden
  >
    <i>{cut ? <Unplug strokeWidth={1.75} /> : null}</i>
    {begun ? <p>{cut ? texts.presenter.relayCut : texts.presenter.relayed}</p> : null}
  </div>
)
