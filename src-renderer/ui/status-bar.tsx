import { Clock, type LucideIcon, SlidersVertical, Timer, Unplug, Wifi, WifiLow, WifiOff, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Overview } from '../bench/bench-state.ts'
import { type ClockReading, clockPace } from '../bench/clock-reading.ts'
import { useBenchNow, useBenchPart } from '../bench/use-bench.ts'
import { conditionsName, countPhoneFaults } from '../bench/words.ts'
import type { Address } from './address.ts'
import { hourMinuteSecond, timeSpan, wholeNumber } from './format.ts'
import { useTick } from './page-clock.ts'
import { Button, Dot } from './primitives.tsx'
import styles from './status-bar.module.css'
import { texts } from './texts.ts'
import { navigateTo } from './use-address.ts'

/** Address of the clock, conditions and snapshots, which are on every page of the console. */
const TIME = { screen: 'console' } as const

/** The address for RPs; for a proxy also its target. */
const placeOf = ({ base_url, target }: Overview['addresses']): string =>
  [base_url, ...(target === undefined ? [] : [target])].map((url) => url.replace(/^https?:\/\//, '')).join(' → ')

export const StatusBar = () => {
  const words = texts.frame
  const connection = useBenchPart((state) => state.connection)
  const overview = useBenchPart((state) => state.overview)
  const clock = useBenchPart((state) => state.clock)
  const armed = useBenchPart((state) => state.armedFaults.length)
  const onPhones = useBenchPart(({ phones, timeline }) =>
    phones.reduce((sum, phone) => sum + countPhoneFaults(timeline, phone), 0),
  )
  const faults = onPhones + armed
  const conditions = overview === undefined ? 'normal' : conditionsName(overview.conditions)
  return (
    <footer className={`${styles.statusbar} row line-above small muted cut bg-surface gap-20 p-0-14`}>
      <span data-stopped={connection === 'lost' || undefined}>
        <Dot tone={connection === 'live' ? 'ok' : connection === 'lost' ? 'fail' : 'neutral'} />
        {connection === 'live' ? words.running : connection === 'lost' ? texts.timeline.lost : words.connecting}
        {overview === undefined ? null : <code className="tiny">{placeOf(overview.addresses)}</code>}
      </span>
      {clock === undefined ? null : (
        <Place Icon={Clock} title={words.toTime} to={TIME}>
          <BenchClock />
          {paceText(clock)}
        </Place>
      )}
      {overview === undefined ? null : (
        <Place Icon={SlidersVertical} title={words.toProfile} to={{ screen: 'console', place: { kind: 'profile' } }}>
          {overview.profile_changed.length === 0
            ? words.profileDefault
            : words.profileChanged(overview.profile_changed.length)}
        </Place>
      )}
      <Place Icon={PRESETS[conditions]} title={words.toTime} to={TIME}>
        {words.network(words.conditions[conditions].toLowerCase())}
      </Place>
      <Place
        Icon={Zap}
        title={words.toFaults}
        faulty={faults > 0}
        to={armed > 0 && onPhones === 0 ? TIME : { screen: 'console', place: { kind: 'phones' } }}
      >
        {faults === 0 ? words.noFaults : words.faults(faults)}
      </Place>
      <span className="grow" />
      <EventCount />
      {overview === undefined || overview.seed === null ? null : <span>{words.seed(overview.seed)}</span>}
      {overview === undefined || overview.workspace === 'main' ? null : (
        <span data-may-shrink title={overview.workspace}>
          {words.workspace(overview.workspace)}
        </span>
      )}
    </footer>
  )
}

type PlaceProps = {
  readonly Icon: LucideIcon
  readonly title: string
  readonly to: Address
  readonly faulty?: boolean
  readonly children: ReactNode
}

const Place = ({ Icon, title, to, faulty = false, children }: PlaceProps) => (
  <button
    className="inset-focus"
    type="button"
    title={title}
    data-faulty={faulty || undefined}
    onClick={() => navigateTo(to)}
  >
    <Icon className="faint" size={12} />
    {children}
  </button>
)

const paceText = (clock: ClockReading): string => {
  const words = texts.frame
  const pace = clockPace(clock)
  if (pace === 'fast') return words.speed(clock.speed)
  return pace === 'ahead' || pace === 'behind' ? words.offset[pace](timeSpan(clock.offset)) : words[pace]
}

const BenchClock = () => {
  useTick(1000)
  return <time className="digits">{hourMinuteSecond(useBenchNow())}</time>
}

const PRESETS = { normal: Wifi, slow: Timer, unreliable: WifiLow, outage: WifiOff } as const

/** A separate component, because only this part of the bar changes with every call. */
const EventCount = () => {
  const events = useBenchPart(({ firstSeq, lastSeq }) => lastSeq - Math.max(1, firstSeq) + 1)
  return <span className="digits">{texts.frame.events(wholeNumber(events))}</span>
}

export const Stopped = ({ onRetry }: { readonly onRetry: () => void }) => (
  <div className="floating" role="alert">
    <Unplug className="fail" size={16} />
    <p>{texts.frame.stoppedBody}</p>
    <Button small onClick={onRetry} text={texts.frame.retry} />
  </div>
)
