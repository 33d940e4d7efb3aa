import { Clock, SlidersVertical, Timer, Wifi, WifiLow, WifiOff, Zap } from 'lucide-react'
import type { Overview } from '../bench/bench-state.ts'
import { type ClockReading, paceOf } from '../bench/clock-reading.ts'
import { useBenchNow, useBenchPart } from '../bench/use-bench.ts'
import { type ConditionsName, conditionsName, faultsOn } from '../bench/words.ts'
import { hourMinuteSecond, timeSpan, wholeNumber } from './format.ts'
import { useTick } from './page-clock.ts'
import { Dot } from './primitives.tsx'
import styles from './status-bar.module.css'
import { texts } from './texts.ts'
import { go } from './use-address.ts'

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
  const lies = useBenchPart((state) => state.lies.length)
  const onPhones = useBenchPart(({ phones, timeline }) =>
    phones.reduce((sum, phone) => sum + faultsOn(timeline, phone), 0),
  )
  const faults = onPhones + lies
  const conditions = overview === undefined ? 'normal' : conditionsName(overview.conditions)
  return (
    <footer className={`${styles.statusbar} row line-above small muted cut bg-surface`}>
      <span data-stopped={connection === 'lost' || undefined}>
        <Dot tone={connection === 'live' ? 'ok' : connection === 'lost' ? 'fail' : 'neutral'} />
        {connection === 'live' ? words.running : connection === 'lost' ? words.stopped : words.connecting}
        {overview === undefined ? null : <code className="tiny">{placeOf(overview.addresses)}</code>}
      </span>
      {clock === undefined ? null : (
        <button className="inset-focus" type="button" title={words.toTime} onClick={() => go(TIME)}>
          <Clock className="faint" size={12} />
          <BenchClock />
          {paceText(clock)}
        </button>
      )}
      {overview === undefined ? null : (
        <button
          className="inset-focus"
          type="button"
          title={words.toProfile}
          onClick={() => go({ screen: 'console', place: { kind: 'profile' } })}
        >
          <SlidersVertical className="faint" size={12} />
          {overview.profile_changed.length === 0
            ? words.profileDefault
            : words.profileChanged(overview.profile_changed.length)}
        </button>
      )}
      <button className="inset-focus" type="button" title={words.toTime} onClick={() => go(TIME)}>
        <ConditionsIcon name={conditions} />
        {words.network[conditions]}
      </button>
      <button
        className="inset-focus"
        type="button"
        title={words.toFaults}
        data-faulty={faults > 0 || undefined}
        onClick={() => go(lies > 0 && onPhones === 0 ? TIME : { screen: 'console', place: { kind: 'phones' } })}
      >
        <Zap className="faint" size={12} />
        {faults === 0 ? words.noFaults : words.faults(faults)}
      </button>
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

const paceText = (clock: ClockReading): string => {
  const words = texts.frame
  const pace = paceOf(clock)
  if (pace === 'fast') return words.speed(clock.speed)
  return pace === 'ahead' || pace === 'behind' ? words.offset[pace](timeSpan(clock.offset)) : words[pace]
}

const BenchClock = () => {
  useTick(1000)
  return <time className="num">{hourMinuteSecond(useBenchNow())}</time>
}

const PRESETS = { normal: Wifi, slow: Timer, unreliable: WifiLow, outage: WifiOff } as const

const ConditionsIcon = ({ name }: { readonly name: ConditionsName }) => {
  const Icon = PRESETS[name]
  return <Icon className="faint" size={12} />
}

/** A separate component, because only this part of the bar changes with every call. */
const EventCount = () => {
  const events = useBenchPart(({ firstSeq, lastSeq }) => lastSeq - Math.max(1, firstSeq) + 1)
  return <span className="num">{texts.frame.events(wholeNumber(events))}</span>
}
