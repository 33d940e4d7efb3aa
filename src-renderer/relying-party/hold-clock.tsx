import { Play, Snowflake } from 'lucide-react'
import { useBenchPart } from '../bench/use-bench.ts'
import { IconButton } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import styles from './hold-clock.module.css'

/** Stops the clock of the bench, so that a code does not expire while it is being explained. */
export const HoldClock = () => {
  const words = texts.rp
  const clock = useBenchPart((state) => state.clock)
  const { act } = useAct()
  if (clock === undefined) return null
  const { frozen } = clock
  const Icon = frozen ? Play : Snowflake
  return (
    <IconButton
      small
      className={styles.holdClock}
      name={frozen ? words.letRun : words.hold}
      aria-pressed={frozen}
      onClick={() => void act((client) => client.call('clock.put', { body: { frozen: !frozen } }))}
    >
      <Icon size={13} strokeWidth={1.75} aria-hidden="true" />
    </IconButton>
  )
}
