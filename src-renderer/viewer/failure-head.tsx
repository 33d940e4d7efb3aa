import { Zap } from 'lucide-react'
import type { AttemptReport, ScenarioResult } from '../../src-main/core/contract/run-report.ts'
import { texts } from '../ui/texts.ts'
import styles from './failure-head.module.css'
import { PathText } from './path-text.tsx'

type FailureHeadProps = { readonly scenario: ScenarioResult; readonly attempt: AttemptReport | undefined }

/** The scenario and, if a step failed, the expected and received values. */
export const FailureHead = ({ scenario, attempt }: FailureHeadProps) => {
  const words = texts.viewer
  const failed = attempt?.steps.find(({ ok }) => !ok)
  return (
    <header className={`${styles.head} grid gap-6 line-below`}>
      <h2>{scenario.name}</h2>
      <p>
        <PathText path={failed === undefined ? scenario.file : `${scenario.file}:${failed.line}`} />
        {scenario.reason === undefined ? '' : ` · ${scenario.reason}`}
        {scenario.attempts.length < 2 ? '' : ` · ${words.attempts(scenario.attempts.length)}`}
      </p>
      {failed === undefined ? null : (
        <dl>
          <dt>{words.step}</dt>
          <dd>
            {failed.number}. {failed.title}
          </dd>
          <dt>{words.expected}</dt>
          <dd>{failed.expected}</dd>
          <dt>{words.received}</dt>
          <dd data-bad>{failed.received}</dd>
          {failed.why === undefined || failed.why.length === 0 ? null : (
            <>
              <dt>{words.why}</dt>
              <dd>
                {failed.why.map((line, i) => (
                  <div key={line} data-fault={failed.faults?.includes(i) || undefined}>
                    {failed.faults?.includes(i) ? <Zap size={12} strokeWidth={1.75} aria-hidden="true" /> : null}
                    {line}
                  </div>
                ))}
              </dd>
            </>
          )}
          {failed.events.length === 0 ? null : (
            <>
              <dt>{words.meanwhile}</dt>
              <dd>{failed.events.join('\n')}</dd>
            </>
          )}
          <dt>{words.replay}</dt>
          <dd>
            handset run --replay <PathText path={scenario.id} />
          </dd>
        </dl>
      )}
      {attempt === undefined ? null : (
        <details>
          <summary>{words.steps(attempt.steps.length)}</summary>
          <ol>
            {attempt.steps.map((step) => (
              <li key={step.number} data-ok={step.ok}>
                <span>{step.title}</span> <small>{step.said}</small>
              </li>
            ))}
          </ol>
        </details>
      )}
    </header>
  )
}
