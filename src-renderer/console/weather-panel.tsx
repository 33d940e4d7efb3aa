import { CloudDrizzle, CloudLightning, CloudRainWind, CloudSun } from 'lucide-react'
import { useState } from 'react'
import type { WeatherState } from '../../src-main/control/contract/states.ts'
import { useBench } from '../bench/use-bench.ts'
import { type WeatherName, weatherName } from '../bench/weather-name.ts'
import { Problem } from '../ui/problem.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'

type Side = keyof WeatherState & ('rp' | 'app')

const CALM = { latency_ms: 0, fail_next: 0, fail_percent: 0, lose_next: 0, lose_percent: 0 } as const

/** What each sky orders, for both interfaces. */
const SKIES = {
  clear: { Icon: CloudSun, order: CALM },
  slow: { Icon: CloudDrizzle, order: { ...CALM, latency_ms: 400 } },
  patchy: { Icon: CloudRainWind, order: { ...CALM, latency_ms: 200, lose_percent: 20 } },
  storm: { Icon: CloudLightning, order: { ...CALM, latency_ms: 800, lose_percent: 10, fail_percent: 30 } },
} as const satisfies Record<WeatherName, unknown>

const SLIDERS = [
  { key: 'latency_ms', max: 5000, step: 50, unit: 'ms' },
  { key: 'lose_percent', max: 100, step: 1, unit: '%' },
  { key: 'fail_percent', max: 100, step: 1, unit: '%' },
] as const

/** Trouble to order between the service and those who call it. */
export const WeatherPanel = () => {
  const words = texts.console.weather
  const { overview } = useBench()
  const { act, problem } = useAct()
  const [side, setSide] = useState<Side>('rp')
  const weather = overview?.weather
  if (weather === undefined) return null
  const current = weatherName(weather)
  return (
    <section aria-label={words.title}>
      <div className="section-head">
        <h2>{words.title}</h2>
        <span className="note">{words.everyRequest}</span>
      </div>
      <div className="skies" role="radiogroup" aria-label={words.title}>
        {(Object.keys(SKIES) as WeatherName[]).map((name) => {
          const { Icon, order } = SKIES[name]
          return (
            <label key={name}>
              <input
                type="radio"
                name="sky"
                checked={name === current}
                onChange={() => void act((client) => client.call('weather.put', { body: { rp: order, app: order } }))}
              />
              <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
              {texts.frame.weather[name]}
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
          value={weather[side][key]}
          max={max}
          step={step}
          unit={unit}
          onSet={(value) => void act((client) => client.call('weather.patch', { body: { [side]: { [key]: value } } }))}
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
    <label className="slider">
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
