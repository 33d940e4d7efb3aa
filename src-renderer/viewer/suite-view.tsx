import { useState } from 'react'
import type { ToldSuite } from '../../src-main/core/contract/suite-findings.ts'
import { ActionsContext, createActions } from '../palette/actions.ts'
import { dateAndTime } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'
import { SuiteSection } from './suite-section.tsx'
import { byReason, conclusionOf, findingsOf, VERDICTS } from './suite-sections.ts'
import styles from './suite-view.module.css'
import { findingText } from './suite-words.ts'

/** What an RP did under the faults of the service: the counts, and all findings with the worst first. */
export const SuiteView = ({ suite }: { readonly suite: ToldSuite }) => {
  const words = texts.suite
  const [actions] = useState(createActions)
  const { config, handset, began, took_ms, restored, findings } = suite
  const faults = new Set(findings.map(({ fault }) => fault)).size
  const about = [
    config,
    words.tried(faults, findings.length),
    words.took((took_ms / 1000).toFixed(1)),
    dateAndTime(began),
    `${texts.product} ${handset}`,
  ]
  const conclusion = conclusionOf(suite)
  const sections = VERDICTS.map((verdict) => ({ verdict, own: findingsOf(suite, verdict) }))
  return (
    <ActionsContext value={actions}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <main className={styles.suite} tabIndex={0}>
        <div className={styles.sheet}>
          <header className={styles.head}>
            <h1 data-verdict={conclusion}>{words.conclusion[conclusion]}</h1>
            <p>{about.join(' · ')}</p>
            <p>{words.about}</p>
            <ul className={styles.counts}>
              {sections.map(({ verdict, own }) => (
                <li key={verdict} data-verdict={verdict} data-none={own.length === 0 || undefined}>
                  <b>{own.length}</b>
                  {own.length === 0 ? words.verdicts[verdict] : <a href={`#${verdict}`}>{words.verdicts[verdict]}</a>}
                </li>
              ))}
            </ul>
            {restored === 0 ? null : <p data-bad>{words.restored(restored)}</p>}
            {byReason(findings).map(({ common, findings: own }) => (
              <p key={JSON.stringify(common)}>{words.notTried(own.length, findingText(common))}</p>
            ))}
          </header>
          {sections.map(({ verdict, own }) =>
            own.length === 0 ? null : <SuiteSection key={verdict} verdict={verdict} findings={own} />,
          )}
        </div>
      </main>
    </ActionsContext>
  )
}
