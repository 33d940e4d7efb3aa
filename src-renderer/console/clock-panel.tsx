import { SkipForward } from 'lucide-react'
import { paceOf } from '../bench/clock-reading.ts'
import { useBenchNow, useBenchPart, useSampled } from '../bench/use-bench.ts'
import { Button } from '../ui/button.tsx'
import { hourMinuteSecond, minuteSecond, timeSpan, weekdayDate } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { texts } from '../ui/texts.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'
import styles from './clock-panel.module.css'
import { ExpiryRuler } from './expiry-ruler.tsx'
import { SetClock } from './set-clock.tsx'
import { aheadOf, askUnderWay } from './under-way.ts'

const STEPS = [
  { ms: 10_000, text: '+10 s' },
  { ms: 60_000, text: '+1 min' },
  { ms: 3_600_000, text: '+1 h' },
] as const

const SPEEDS = ['1', '10', '60'] as const

/** The workspace's clock: frozen, set, moved on, and what expires next. */
export const ClockPanel = () => {
  const words = texts.console.clock
  const clock = useBenchPart((state) => state.clock)
  const { act, problem } = useAct()
  // Events start from zero at each start of the bench, so requests under way are asked for.
  const kept = useAsked(askUnderWay)
  const timeline = useSampled((state) => state.timeline, 250)
  const now = useBenchNow()
  if (clock === undefined) return null
  const pace = paceOf(clock)
  const ahead = aheadOf(timeline, kept?.messages ?? []).filter(({ expiresAt }) => expiresAt > now)
  const [next] = ahead
  const advance = (body: { readonly ms: number } | { readonly to: 'next-expiry' }) =>
    void act((client) => client.call('clock.advance', { body }))
  const put = (body: { frozen?: boolean; now?: number; speed?: number; real?: true }) =>
    act((client) => client.call('clock.put', { body }))
  return (
    <section aria-label={words.title}>
      <SectionHead of="panel" title={words.title}>
        <Segmented
          name={words.title}
          value={clock.frozen ? 'frozen' : 'live'}
          options={[
            { value: 'live', text: words.live },
            { value: 'frozen', text: words.frozen },
          ]}
          onPick={(value) => void put({ frozen: value === 'frozen' })}
        />
      </SectionHead>
      <time className={styles.time}>{hourMinuteSecond(now)}</time>
      <p className={styles.day}>
        {weekdayDate(now)}
        {pace === 'ahead' || pace === 'behind' ? <small>{words.offset[pace](timeSpan(clock.offset))}</small> : null}
      </p>
      <ExpiryRuler now={now} ahead={ahead} />
      <div className={styles.steps}>
        {STEPS.map(({ ms, text }) => (
          <Button key={ms} small onClick={() => advance({ ms })}>
            {text}
          </Button>
        ))}
        <Button
          small
          className="push-right"
          disabled={next === undefined}
          onClick={() => advance({ to: 'next-expiry' })}
        >
          <SkipForward size={13} strokeWidth={1.75} aria-hidden="true" />
          {words.nextExpiry}
        </Button>
      </div>
      <p className="note">
        {next === undefined ? (
          words.nothingAhead
        ) : (
          <>
            {words.next[next.ceremony](next.username)} <b className="num">{minuteSecond(next.expiresAt - now)}</b>
            {words.stop}
            {clock.frozen ? words.waits : ''}
          </>
        )}
      </p>
      <div className={styles.more}>
        <SetClock now={now} onSet={(time) => put({ now: time })} />
        <Segmented
          name={words.speed}
          value={String(clock.speed)}
          options={SPEEDS.map((value) => ({ value: value as string, text: `×${value}` }))}
          onPick={(value) => void put({ speed: Number(value) })}
        />
        <Button small look="ghost" onClick={() => void put({ real: true })}>
          {words.real}
        </Button>
      </div>
      <Problem problem={problem} />
    </section>
  )
}
