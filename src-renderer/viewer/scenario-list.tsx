import { useState } from 'react'
import type { Outcome, RunReport, ScenarioResult } from '../../src-main/core/contract/run-report.ts'
import { Chip } from '../ui/chip.tsx'
import { texts } from '../ui/texts.ts'
import { PathText } from './path-text.tsx'
import styles from './scenario-list.module.css'

type ScenarioListProps = {
  readonly run: RunReport
  readonly chosen: ScenarioResult | undefined
  readonly onChoose: (scenario: ScenarioResult) => void
}

const TONES = { passed: 'ok', failed: 'fail', flaky: 'warn', skipped: 'neutral', stopped: 'neutral' } as const

const OUTCOMES = ['failed', 'flaky', 'passed', 'skipped', 'stopped'] as const satisfies readonly Outcome[]

/** The scenarios of the run: filtered by a text and by how they ended. */
export const ScenarioList = ({ run, chosen, onChoose }: ScenarioListProps) => {
  const words = texts.viewer
  const [filter, setFilter] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const wanted = filter.toLowerCase()
  const shown = run.scenarios.filter(
    (one) =>
      (outcome === undefined || one.outcome === outcome) &&
      [one.name, one.file, ...one.tags].some((text) => text.toLowerCase().includes(wanted)),
  )
  const order = [...shown].sort((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome))
  return (
    <nav className={`${styles.list} column`} aria-label={words.scenarios}>
      <header>
        <h1>{words.run}</h1>
        <p>{words.about(run.scenarios.length, (run.took_ms / 1000).toFixed(1), run.seed)}</p>
        <div className={`${styles.outcomes} flex wraps gap-6`}>
          {OUTCOMES.filter((each) => run.counts[each] > 0).map((each) => (
            <button
              key={each}
              type="button"
              data-outcome={each}
              aria-pressed={each === outcome}
              onClick={() => setOutcome(each === outcome ? undefined : each)}
            >
              {run.counts[each]} {words.outcomes[each]}
            </button>
          ))}
        </div>
        <label className="field">
          <input
            type="search"
            aria-label={words.filter}
            placeholder={words.filter}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
      </header>
      <ul>
        {order.map((one) => (
          <li key={one.id}>
            <button type="button" aria-current={one === chosen || undefined} onClick={() => onChoose(one)}>
              <Chip tone={TONES[one.outcome]}>{words.outcomes[one.outcome]}</Chip>
              <span>{one.name}</span>
              <small>
                <PathText path={one.file} />
              </small>
            </button>
          </li>
        ))}
      </ul>
      {order.length === 0 ? <p className={`${styles.none} faint`}>{words.noMatch}</p> : null}
    </nav>
  )
}
