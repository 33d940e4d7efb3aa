import { Zap } from 'lucide-react'
import { useState } from 'react'
import type { AttemptReport, Outcome, RunReport, ScenarioResult } from '../../src-main/core/contract/run-report.ts'
import { Chip, TextField } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import type { Embedded } from './embedded.ts'
import { TraceView } from './trace-view.tsx'
import styles from './viewer.module.css'

export const Viewer = ({ embedded }: { readonly embedded: Embedded }) => {
  const { run, headed, trace } = embedded
  const [chosen, setChosen] = useState<ScenarioResult | undefined>(
    () => run?.scenarios.find(isBad) ?? run?.scenarios[0],
  )
  const attempt = chosen?.attempts.findLast((each) => each.trace !== undefined) ?? chosen?.attempts.at(-1)
  const name = run === undefined ? '' : attempt?.trace
  return (
    <main className={`${styles.viewer} grid`} data-alone={run === undefined || undefined}>
      {run === undefined ? null : <ScenarioList run={run} chosen={chosen} onChoose={setChosen} />}
      <div className="column shrinks bg-surface">
        {chosen === undefined ? null : <FailureHead scenario={chosen} attempt={attempt} key={chosen.id} />}
        {name === undefined ? (
          chosen === undefined ? null : (
            <p className="faint p-16" data-none>
              {texts.viewer.noTrace}
            </p>
          )
        ) : (
          <TraceView key={name} titled={run === undefined && !headed} load={(onProblem) => trace(name, onProblem)} />
        )}
      </div>
    </main>
  )
}

const isBad = ({ outcome }: ScenarioResult): boolean => outcome === 'failed' || outcome === 'flaky'

type FailureHeadProps = { readonly scenario: ScenarioResult; readonly attempt: AttemptReport | undefined }

const FailureHead = ({ scenario, attempt }: FailureHeadProps) => {
  const words = texts.viewer
  const failed = attempt?.steps.find(({ ok }) => !ok)
  return (
    <header className={`${styles.head} grid gap-6 line-below scrolls-y px-16 py-14`}>
      <h2 className="text-15">{scenario.name}</h2>
      <p className="faint">
        <PathText path={failed === undefined ? scenario.file : `${scenario.file}:${failed.line}`} />
        {scenario.reason === undefined ? '' : ` · ${scenario.reason}`}
        {scenario.attempts.length < 2 ? '' : ` · ${words.attempts(scenario.attempts.length)}`}
      </p>
      {failed === undefined ? null : (
        <dl className="grid label-90 gap-2-10">
          <dt className="faint">{words.step}</dt>
          <dd>
            {failed.number}. {failed.title}
          </dd>
          <dt className="faint">{words.expected}</dt>
          <dd>{failed.expected}</dd>
          <dt className="faint">{words.received}</dt>
          <dd data-bad>{failed.received}</dd>
          {failed.why === undefined || failed.why.length === 0 ? null : (
            <>
              <dt className="faint">{words.why}</dt>
              <dd>
                {failed.why.map((line, i) => (
                  <div key={line} data-fault={failed.faults?.includes(i) || undefined}>
                    {failed.faults?.includes(i) ? <Zap size={12} /> : null}
                    {line}
                  </div>
                ))}
              </dd>
            </>
          )}
          {failed.events.length === 0 ? null : (
            <>
              <dt className="faint">{words.meanwhile}</dt>
              <dd>{failed.events.join('\n')}</dd>
            </>
          )}
          <dt className="faint">{words.replay}</dt>
          <dd>
            npx handset run --replay <PathText path={scenario.id} />
          </dd>
        </dl>
      )}
      {attempt === undefined ? null : (
        // Without a trace below, the steps are all there is to see.
        <details open={attempt.trace === undefined}>
          <summary>{words.steps(attempt.steps.length)}</summary>
          <ol className="pt-4 pl-16">
            {attempt.steps.map((step) => (
              <li key={step.number} data-ok={step.ok}>
                <span>{step.title}</span> <small className="faint">{step.said}</small>
              </li>
            ))}
          </ol>
        </details>
      )}
    </header>
  )
}

type ScenarioListProps = {
  readonly run: RunReport
  readonly chosen: ScenarioResult | undefined
  readonly onChoose: (scenario: ScenarioResult) => void
}

const TONES = { passed: 'ok', failed: 'fail', flaky: 'warn', skipped: 'neutral', stopped: 'neutral' } as const

const OUTCOMES = ['failed', 'flaky', 'passed', 'skipped', 'stopped'] as const satisfies readonly Outcome[]

const ScenarioList = ({ run, chosen, onChoose }: ScenarioListProps) => {
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
    <nav className={`${styles.list} column shortens bg-surface-2 line-right`} aria-label={words.scenarios}>
      <header className="grid gap-8 line-below px-12 py-14">
        <h1 className="text-15">{words.run}</h1>
        <p className="faint">{words.about(run.scenarios.length, (run.took_ms / 1000).toFixed(1), run.seed)}</p>
        <div className={`${styles.outcomes} flex wraps gap-6`}>
          {OUTCOMES.filter((each) => run.counts[each] > 0).map((each) => (
            <button
              className="rounded-999 p-1-9"
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
        <TextField name={words.filter} type="search" placeholder={words.filter} value={filter} onText={setFilter} />
      </header>
      <ul className="shortens scrolls-y">
        {order.map((one) => (
          <li className="line-below" key={one.id}>
            <button
              className="grid own-and-rest wide text-left gap-2-8 px-12 py-5"
              type="button"
              aria-current={one === chosen || undefined}
              onClick={() => onChoose(one)}
            >
              <Chip tone={TONES[one.outcome]}>{words.outcomes[one.outcome]}</Chip>
              <span>{one.name}</span>
              <small className="faint breaks second-column">
                <PathText path={one.file} />
              </small>
            </button>
          </li>
        ))}
      </ul>
      {order.length === 0 ? <p className="faint p-16">{words.noMatch}</p> : null}
    </nav>
  )
}

/** A path that breaks after its slashes, and within a part only if the part does not fit. */
const PathText = ({ path }: { readonly path: string }) =>
  partsOf(path).map(({ at, part }) => (
    <span key={at} className="inline-block fits">
      {part}
    </span>
  ))

const partsOf = (path: string) =>
  [...path.matchAll(/[^/\\]*[/\\]?/g)].flatMap(({ index, 0: part }) => (part === '' ? [] : [{ at: index, part }]))
