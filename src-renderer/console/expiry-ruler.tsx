import { texts } from '../ui/texts.ts'
import styles from './expiry-ruler.module.css'
import type { UnderWay } from './under-way.ts'

type ExpiryRulerProps = { readonly now: number; readonly ahead: readonly UnderWay[] }

const WIDTH = 308
const MINUTE = 60_000
/** So many minutes lie ahead on the ruler; what expires later stands at its end. */
const MINUTES = 5

/** The minutes ahead, with a pin for everything that expires in them. */
export const ExpiryRuler = ({ now, ahead }: ExpiryRulerProps) => {
  const x = (ms: number) => 1 + Math.min(1, ms / (MINUTES * MINUTE)) * (WIDTH - 6)
  const ticks = Array.from({ length: MINUTES * 6 + 1 }, (_, i) => i)
  return (
    <svg
      className={styles.ruler}
      viewBox={`0 0 ${WIDTH} 44`}
      role="img"
      aria-label={texts.console.clock.ruler(ahead.length)}
    >
      <path className={styles.rulerLine} d={`M1 26H${WIDTH - 5}`} />
      {ticks.map((tick) => (
        <path
          key={tick}
          className={styles.rulerLine}
          d={`M${x(tick * 10_000)} 26V${tick % 6 === 0 ? 15 : 21}`}
          strokeOpacity={tick % 6 === 0 ? 1 : 0.7}
        />
      ))}
      <path className={styles.rulerNow} d="M1 26V3" />
      {ahead.map(({ msgId, expiresAt, state }) => (
        <g key={msgId} className={styles.rulerPin} data-state={state}>
          <path d={`M${x(expiresAt - now)} 26V8`} />
          <circle cx={x(expiresAt - now)} cy="7" r="4.5" />
        </g>
      ))}
      {[0, 1, 2, 3, 4, 5].map((minute) => (
        <text
          key={minute}
          x={x(minute * MINUTE)}
          y="41"
          textAnchor={minute === 0 ? 'start' : minute === 5 ? 'end' : 'middle'}
        >
          {minute === 0 ? texts.console.clock.now : minute === MINUTES ? texts.console.clock.minutes(minute) : minute}
        </text>
      ))}
    </svg>
  )
}
