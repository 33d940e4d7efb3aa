import { Timer, Wifi, WifiLow, WifiOff } from 'lucide-react'
import { useState } from 'react'
import type { ConditionsState } from '../../src-main/core/contract/control/states.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { type ConditionsName, conditionsName } from '../bench/words.ts'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import styles from './conditions-panel.module.css'

type Side = keyof ConditionsState & ('rp' | 'app')

const NORMAL = { latency_ms: 0, fail_next: 0, fail_percent: 0, lose_next: 0, lose_percent: 0 } as const

/** The order that each preset sends, for both interfaces. */
const PRESETS = {
  normal: { Icon: Wifi, order: NORMAL },
  slow: { Icon: Timer, order: { ...NORMAL, latency_ms: 400 } },
  unreliable: { Icon: WifiLow, order: { ...NORMAL, latency_ms: 200, lose_percent: 20 } },
  outage: { Icon: WifiOff, order: { ...NORMAL, latency_ms: 800, lose_percent: 10, fail_percent: 30 } },
} as const satisfies Record<ConditionsName, unknown>

const SLIDERS = [
  { key: 'latency_ms', max: 5000, step: 50, unit: 'ms' },
  { key: 'lose_percent', max: 100, step: 1, unit: '%' },
  { key: 'fail_percent', max: 100, step: 1, unit: '%' },
] as const

/** Simulated trouble between the service and its callers. */
export const ConditionsPanel = () => {
  const words = texts.console.conditions
  const overview = useBenchPart((state) => state.overview)
  const { act, problem } = useAct()
  const [side, setSide] = useState<Side>('rp')
  const conditions = overview?.conditions
  if (conditions === undefined) return null
  const current = conditionsName(conditions)
  return (
    <section aria-label={words.title}>
      <SectionHead of="panel" title={words.title}>
        <span className="note">{words.everyRequest}</span>
      </SectionHead>
      <div className={`${styles.presets} grid gap-6`} role="radiogroup" aria-label={words.title}>
        {(Object.keys(PRESETS) as ConditionsName[]).map((name) => {
          const { Icon, order } = PRESETS[name]
          return (
            <label key={name}>
              <input
                type="radio"
                name="conditions"
                checked={name === current}
                onChange={() =>
                  void act((client) => client.call('conditions.put', { body: { rp: order, app: order } }))
                }
              />
              <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
              {texts.frame.conditions[name]}
            </label>
          )
        })}
      </div>
      <Segmented
        name={words.side}
        value={side}
        options={[
          { value: 'rp', text: words.rp },
          { value: 'app', text: words.app },
        ]}
        onPick={setSide}
      />
      {SLIDERS.map(({ key, max, step, unit }) => (
        <Slider
          key={`${side}.${key}`}
          name={words.sliders[key]}
          value={conditions[side][key]}
          max={max}
          step={step}
          unit={unit}
          onSet={(value) =>
            void act((client) => client.call('conditions.patch', { body: { [side]: { [key]: value } } }))
          }
        />
      ))}
      <Problem problem={problem} />
    </section>
  )
}

type SliderProps = {
  readonly name: string
  readonly value: number
  readonly max: number
  readonly step: number
  readonly unit: string
  readonly onSet: (value: number) => void
}

/** Applies when it is let go. */
const Slider = ({ name, value, max, step, unit, onSet }: SliderProps) => {
  const [draft, setDraft] = useState<number>()
  const shown = draft ?? value
  const commit = () => {
    if (draft !== undefined && draft !== value) onSet(draft)
    setDraft(undefined)
  }
  return (
    <label className={`${styles.slider} grid muted`}>
      <span>{name}</span>
      <input
        type="range"
        min={0}
        max={max}
        step={step}
        value={Math.min(shown, max)}
        style={{ '--part': `${(Math.min(shown, max) / max) * 100}%` } as React.CSSProperties}
        onChange={(event) => setDraft(Number(event.target.value))}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
      />
      <b>
        {shown} {unit}
      </b>
    </label>
  )
}
