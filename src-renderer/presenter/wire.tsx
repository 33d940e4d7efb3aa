import { Unplug } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { HandsetMark } from '../ui/marks.tsx'
import { texts } from '../ui/texts.ts'
import { lastSaid, type Pulse, pulsesAfter } from './pulses.ts'
import styles from './wire.module.css'

type WireProps = {
  /** The last event before the chapter. */
  readonly after: number
  /** What happens now is not for the audience. */
  readonly still: boolean
  /** The answer did not get through: why. */
  readonly cut?: string | undefined
}

/** Page, service and phone are joined by a wire, and what runs along it are the recorded exchanges. */
export const Wire = ({ after, still, cut }: WireProps) => {
  const { pulses, drop } = usePulses(still)
  const timeline = useBenchPart((state) => state.timeline)
  const said = still ? undefined : lastSaid(timeline, after)
  return (
    <div className={styles.wire} data-part="wire" aria-hidden="true">
      <p className={styles.words} data-refused={cut !== undefined || said?.refused || undefined}>
        {cut ?? said?.words}
      </p>
      {(['page', 'phone'] as const).map((half) => (
        <div
          key={half}
          className={styles.half}
          data-half={half}
          data-toward={said?.half === half ? said.toward : undefined}
          data-refused={(said?.half === half && said.refused) || undefined}
          data-cut={(cut !== undefined && half === 'phone') || undefined}
        >
          {cut !== undefined && half === 'phone' ? <Unplug className={styles.plug} strokeWidth={1.75} /> : null}
          {pulses
            .filter((pulse) => pulse.half === half)
            .map((pulse) => (
              <i
                key={pulse.seq}
                className={styles.pulse}
                data-from={pulse.toward === 'phone' ? 'service' : half}
                data-oneway={pulse.toward === 'phone' || undefined}
                data-quiet={pulse.quiet || undefined}
                data-refused={pulse.refused || undefined}
                onAnimationEnd={() => drop(pulse.seq)}
              />
            ))}
        </div>
      ))}
      <div className={styles.service}>
        <HandsetMark size={40} />
      </div>
      <p className={styles.name}>{texts.presenter.service}</p>
    </div>
  )
}

/** More than that at once is only a blur. */
const MOST = 12

const usePulses = (still: boolean) => {
  const { store } = useTools()
  const [pulses, setPulses] = useState<readonly Pulse[]>([])
  const seen = useRef(0)
  useEffect(() => {
    const leave = store.subscribe(() => {
      const { timeline, newAfter } = store.getState()
      const fresh = pulsesAfter(timeline, Math.max(seen.current, newAfter))
      seen.current = Math.max(seen.current, fresh.at(-1)?.seq ?? 0)
      if (fresh.length > 0 && !still) setPulses((before) => [...before, ...fresh].slice(-MOST))
    })
    return () => {
      leave()
      setPulses([])
    }
  }, [store, still])
  return { pulses, drop: (seq: number) => setPulses((before) => before.filter((pulse) => pulse.seq !== seq)) }
}
