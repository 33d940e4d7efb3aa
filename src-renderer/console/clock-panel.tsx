import { SkipForward } from 'lucide-react'
import { useId, useState } from 'react'
import type { ControlMessage } from '../../src-main/core/contract/control/states.ts'
import { CLOCK_END } from '../../src-main/core/protocol/time.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { groupOf, type Message, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import { clockPace } from '../bench/clock-reading.ts'
import { useBenchNow, useBenchPart, useSampled } from '../bench/use-bench.ts'
import { hourMinuteSecond, inputTime, minuteSecond, parseInputTime, timeSpan, weekdayDate } from '../ui/format.ts'
import { Button, Form, optionsOf, Problem, Segmented, TextField, Wrong } from '../ui/primitives.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useQuery, useRunAction } from '../ui/use-asked.ts'
import styles from './clock-panel.module.css'

const STEPS = [
  { ms: 10_000, text: '+10 s' },
  { ms: 60_000, text: '+1 min' },
  { ms: 3_600_000, text: '+1 h' },
] as const

const SPEEDS = ['1', '10', '60'] as const

export const ClockPanel = () => {
  const words = texts.console.clock
  const clock = useBenchPart((state) => state.clock)
  const { act, send, problem } = useRunAction()
  // Requests that began before the bench's last start have no events, so they are fetched.
  const kept = useQuery(fetchOpenMessages)
  const timeline = useSampled((state) => state.timeline, 250)
  const now = useBenchNow()
  if (clock === undefined) return null
  const pace = clockPace(clock)
  const ahead = openMessages(timeline, kept?.messages ?? []).filter(({ expiresAt }) => expiresAt > now)
  const [next] = ahead
  const advance = (body: { readonly ms: number } | { readonly to: 'next-expiry' }) => send('clock.advance', { body })
  const put = (body: { frozen?: boolean; now?: number; speed?: number; real?: true }) =>
    act((client) => client.call('clock.put', { body }))
  return (
    <section aria-label={words.title}>
      <SectionHead of="panel" title={words.title}>
        <Segmented
          name={words.title}
          value={clock.frozen ? 'frozen' : 'live'}
          options={optionsOf(['live', 'frozen'], words)}
          onPick={(value) => void put({ frozen: value === 'frozen' })}
        />
      </SectionHead>
      <time className={`${styles.time} block mt-12`}>{hourMinuteSecond(now)}</time>
      <p className="muted">
        {weekdayDate(now)}
        {pace === 'ahead' || pace === 'behind' ? (
          <small className="ml-8 warn">{words.offset[pace](timeSpan(clock.offset))}</small>
        ) : null}
      </p>
      <ExpiryRuler now={now} ahead={ahead} />
      <div className="row wraps gap-6 mt-6">
        {STEPS.map(({ ms, text }) => (
          <Button key={ms} small onClick={() => advance({ ms })} text={text} />
        ))}
        <Button
          Icon={SkipForward}
          size={13}
          small
          className="push-right"
          disabled={next === undefined}
          onClick={() => advance({ to: 'next-expiry' })}
          text={words.nextExpiry}
        />
      </div>
      <p className="note balanced mt-12">
        {next === undefined ? (
          words.nothingAhead
        ) : (
          <>
            {words.next[next.ceremony](next.username)}{' '}
            <b className="digits ink">{minuteSecond(next.expiresAt - now)}</b>
            {words.stop}
            {clock.frozen ? words.waits : ''}
          </>
        )}
      </p>
      <div className="row wraps gap-6 between mt-10">
        <SetClock now={now} onSet={(time) => put({ now: time })} />
        <Segmented
          name={words.speed}
          value={String(clock.speed)}
          options={SPEEDS.map((value) => ({ value: value as string, text: `×${value}` }))}
          onPick={(value) => void put({ speed: Number(value) })}
        />
        <Button small look="ghost" onClick={() => void put({ real: true })} text={words.real} />
      </div>
      <Problem problem={problem} />
    </section>
  )
}

type ExpiryRulerProps = { readonly now: number; readonly ahead: readonly UnderWay[] }

const WIDTH = 308
const MINUTE = 60_000
/** Length of the ruler; anything that expires later is drawn at its end. */
const MINUTES = 5

const ExpiryRuler = ({ now, ahead }: ExpiryRulerProps) => {
  const x = (ms: number) => 1 + Math.min(1, ms / (MINUTES * MINUTE)) * (WIDTH - 6)
  const ticks = Array.from({ length: MINUTES * 6 + 1 }, (_, i) => i)
  return (
    <svg
      className="block wide mt-14"
      overflow="visible"
      viewBox={`0 0 ${WIDTH} 44`}
      role="img"
      aria-label={texts.console.clock.ruler(ahead.length)}
    >
      <path stroke="var(--idle)" d={`M1 26H${WIDTH - 5}`} />
      {ticks.map((tick) => (
        <path
          key={tick}
          stroke="var(--idle)"
          d={`M${x(tick * 10_000)} 26V${tick % 6 === 0 ? 15 : 21}`}
          strokeOpacity={tick % 6 === 0 ? 1 : 0.7}
        />
      ))}
      <path stroke="var(--accent)" strokeWidth={2} d="M1 26V3" />
      {ahead.map(({ msgId, expiresAt, state }) => (
        <g key={msgId} color={state === 'bind' ? 'var(--accent)' : 'var(--idle)'}>
          <path stroke="currentColor" strokeWidth={2} d={`M${x(expiresAt - now)} 26V8`} />
          <circle fill="currentColor" cx={x(expiresAt - now)} cy="7" r="4.5" />
        </g>
      ))}
      {[0, 1, 2, 3, 4, 5].map((minute) => (
        <text
          className="sans tiny digits"
          fill="var(--text-3)"
          key={minute}
          x={x(minute * MINUTE)}
          y="41"
          textAnchor={minute === 0 ? 'start' : minute === 5 ? 'end' : 'middle'}
        >
          {minute === 0 ? texts.phone.now : minute === MINUTES ? texts.console.clock.minutes(minute) : minute}
        </text>
      ))}
    </svg>
  )
}

type UnderWay = Pick<Message, 'msgId' | 'ceremony' | 'username' | 'expiresAt' | 'state'>

/** All open messages of the service, including those from before its last start. */
export const fetchOpenMessages = async (client: ControlClient) => {
  const lists = await Promise.all(
    (['init', 'bind'] as const).map((state) => client.call('messages.list', { query: { state } })),
  )
  return { messages: lists.flatMap(({ messages }) => messages) }
}

/** All open messages, the next to expire first; the timeline is newer than `kept`. */
export const openMessages = (timeline: Timeline, kept: readonly ControlMessage[]): readonly UnderWay[] =>
  [
    ...[...timeline.groups].flatMap(({ message }) =>
      message !== undefined && message.endedWall === undefined ? [message] : [],
    ),
    ...kept
      .filter(({ id }) => groupOf(timeline, id) === undefined)
      .map(({ id, kind, username, expires_at, state }) => ({
        msgId: id,
        ceremony: kind,
        username,
        expiresAt: expires_at,
        state,
      })),
  ].sort((a, b) => a.expiresAt - b.expiresAt)

type SetClockProps = { readonly now: number; readonly onSet: (now: number) => Promise<boolean> }

/** A time that no clock shows is refused here and not sent. */
const SetClock = ({ now, onSet }: SetClockProps) => {
  const words = texts.console.clock
  const id = useId()
  const [setting, setSetting] = useState<string>()
  const [wrong, setWrong] = useState(false)
  if (setting === undefined) {
    return <Button small look="ghost" onClick={() => setSetting(inputTime(now))} text={words.set} />
  }
  const submit = async () => {
    const time = parseInputTime(setting)
    const fits = time !== undefined && time >= 0 && time <= CLOCK_END
    setWrong(!fits)
    if (fits && (await onSet(time))) setSetting(undefined)
  }
  return (
    <Form className="flex gap-6 wide" noValidate onSubmit={submit}>
      <TextField
        className="grow"
        name={words.setTo}
        wrong={wrong}
        type="datetime-local"
        step={1}
        aria-describedby={wrong ? id : undefined}
        value={setting}
        onText={(text) => {
          setWrong(false)
          setSetting(text)
        }}
      />
      <Button small type="submit" text={words.apply} />
      <Wrong id={id} text={wrong ? words.wrong : undefined} />
    </Form>
  )
}
