import { useState } from 'react'
import type { ScenarioResult } from '../../src-main/core/contract/run-report.ts'
import { texts } from '../ui/texts.ts'
import type { Embedded } from './embedded.ts'
import { FailureHead } from './failure-head.tsx'
import { ScenarioList } from './scenario-list.tsx'
import { TraceView } from './trace-view.tsx'
import styles from './viewer.module.css'

/** A run's report, or one trace alone. */
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
      <div className={`${styles.detail} column shrinks`}>
        {chosen === undefined ? null : <FailureHead scenario={chosen} attempt={attempt} key={chosen.id} />}
        {name === undefined ? (
          chosen === undefined ? null : (
            <p className={`${styles.none} faint`}>{texts.viewer.noTrace}</p>
          )
        ) : (
          <TraceView key={name} titled={run === undefined && !headed} load={(onProblem) => trace(name, onProblem)} />
        )}
      </div>
    </main>
  )
}

const isBad = ({ outcome }: ScenarioResult): boolean => outcome === 'failed' || outcome === 'flaky'
