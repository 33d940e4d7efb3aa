import { sharedCauses, type ToldFinding, TRIED } from '../../src-main/core/contract/suite-findings.ts'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import { FindingTable } from './finding-table.tsx'
import styles from './suite-section.module.css'
import { byAct, byReason, type Verdict } from './suite-sections.ts'
import { findingText } from './suite-words.ts'

type SuiteSectionProps = { readonly verdict: Verdict; readonly findings: readonly ToldFinding[] }

/** All findings with one verdict. Bad ones stand by what a careful RP does: each part is one thing to fix. */
export const SuiteSection = ({ verdict, findings }: SuiteSectionProps) => {
  const words = texts.suite
  return (
    <section id={verdict} className={styles.section} data-verdict={verdict} aria-label={words.verdicts[verdict]}>
      <header>
        <h2>
          {words.verdicts[verdict]} <span>{findings.length}</span>
        </h2>
        <p>{words.meaning[verdict]}</p>
      </header>
      {partsOf(verdict, findings).map(({ key, label, title, own }) => (
        <article key={key} className={styles.part}>
          {title === undefined ? null : (
            <h3>
              <small>{label}</small>
              {title}
            </h3>
          )}
          <FindingTable findings={own} />
        </article>
      ))}
    </section>
  )
}

type Part = {
  readonly key: string
  readonly label?: string
  readonly title?: string
  readonly own: readonly ToldFinding[]
}

const partsOf = (verdict: Verdict, findings: readonly ToldFinding[]): readonly Part[] => {
  const words = texts.suite
  if (verdict === 'held') return [{ key: verdict, own: findings }]
  if (!TRIED.has(verdict)) {
    return byReason(findings).map(({ common, findings: own }) => {
      return { key: JSON.stringify(common), label: words.why, title: findingText(common), own }
    })
  }
  const shared = sharedCauses(findings)
  const rest = findings.filter((finding) => !shared.some((cause) => cause.findings.includes(finding)))
  return [
    ...shared.map(({ cause: { error, frame = '' }, findings: own }) => {
      return { key: error + frame, label: words.oneCause(own.length), title: [error, frame].join(' '), own }
    }),
    ...byAct(rest).map(({ common, findings: own }) => {
      return { key: common, label: words.careful, title: messages.carefulActs[common], own }
    }),
  ]
}
