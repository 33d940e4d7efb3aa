import { useEffect, useRef, useState } from 'react'
import type { Timeline } from '../bench/timeline.ts'
import { HandsetMark } from '../ui/marks.tsx'
import { texts } from '../ui/texts.ts'
import { lastSaid, type Pulse, pulsesAfter } from './pulses.ts'

type WireProps = {
  readonly timeline: Timeline
  /** The last event that is no news. */
  readonly newAfter: number
  /** What happens now is not for the audience. */
  readonly still: boolean
}

/** Page, service and phone are joined by a wire, and what runs along it are the recorded exchanges. */
export const Wire = ({ timeline, newAfter, still }: WireProps) => {
  const { pulses, drop } = usePulses({ timeline, newAfter, still })
  const said = still ? undefined : lastSaid(timeline)
  return (
    <div className="wire" aria-hidden="true">
      <p className="wire-words" data-refused={said?.refused || undefined}>
        {said?.words}
      </p>
      {(['page', 'phone'] as const).map((half) => (
        <div
          key={half}
          className="wire-half"
          data-half={half}
          data-toward={said?.half === half ? said.toward : undefined}
          data-refused={(said?.half === half && said.refused) || undefined}
        >
          {pulses
            .filter((pulse) => pulse.half === half)
            .map((pulse) => (
              <i
                key={pulse.seq}
                className="pulse"
                data-from={pulse.toward === 'phone' ? 'service' : half}
                data-oneway={pulse.toward === 'phone' || undefined}
                data-quiet={pulse.quiet || undefined}
                data-refused={pulse.refused || undefined}
                onAnimationEnd={() => drop(pulse.seq)}
              />
            ))}
        </div>
      ))}
      <div className="wire-service">
        <HandsetMark size={40} />
      </div>
      <p className="wire-name">{texts.presenter.service}</p>
    </div>
  )
}

/** More than that at once is only a blur. */
const MOST = 12

const usePulses = ({ timeline, newAfter, still }: WireProps) => {
  const [pulses, setPulses] = useState<readonly Pulse[]>([])
  const seen = useRef(newAfter)
  useEffect(() => {
    const fresh = pulsesAfter(timeline, seen.current)
    seen.current = Math.max(seen.current, fresh.at(-1)?.seq ?? 0)
    if (still) setPulses([])
    else if (fresh.length > 0) setPulses((before) => [...before, ...fresh].slice(-MOST))
  }, [timeline, still])
  return { pulses, drop: (seq: number) => setPulses((before) => before.filter((pulse) => pulse.seq !== seq)) }
}
