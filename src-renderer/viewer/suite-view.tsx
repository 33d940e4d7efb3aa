import { useState } from 'react'
import { isRpCheckName, RP_CHECKS, type RpCheckName, type TrialName } from '../../src-main/core/contract/rp-checks.ts'
import { type CarefulAct, serviceFaultStories as englishStories } from '../../src-main/core/contract/service-faults.ts'
import {
  carefulAct,
  suiteFindings as englishFindings,
  type FindingReason,
  type ReportFinding,
  type ReportSuite,
  ruleNumber,
  sharedCauses,
  TRIED_VERDICTS,
} from '../../src-main/core/contract/suite-findings.ts'
import { serviceFaultStories as chineseStories } from '../../src-main/core/messages/zh/service-faults.ts'
import {
  rpChecks as chineseChecks,
  suiteFindings as chineseFindings,
} from '../../src-main/core/messages/zh/suite-findings.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { ActionsContext, createActions } from '../palette/actions.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { dateAndTime } from '../ui/format.ts'
import { language } from '../ui/language.ts'
import { messages, serviceFaultText } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import styles from './suite-view.module.css'

export const SuiteView = ({ suite }: { readonly suite: ReportSuite }) => {
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
  const conclusion = worstVerdict(suite)
  const sections = VERDICTS.map((verdict) => ({ verdict, own: findingsWith(suite, verdict) }))
  return (
    <ActionsContext value={actions}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
      <main className={`${styles.suite} scrolls-y text-14 leading-20`} tabIndex={0}>
        <div className={`${styles.sheet} grid max-w-1320 p-28-24-64`}>
          <header className={`${styles.head} grid gap-8`}>
            <h1 className="text-26 leading-32" data-verdict={conclusion}>
              {words.conclusion[conclusion]}
            </h1>
            <p>{about.join(' · ')}</p>
            <p>{words.about}</p>
            <ul className={`${styles.counts} grid gap-12 py-8`}>
              {sections.map(({ verdict, own }) => (
                <li
                  className="grid gap-2 muted bg-surface bordered rounded-10 px-16 py-12"
                  key={verdict}
                  data-verdict={verdict}
                  data-none={own.length === 0 || undefined}
                >
                  <b className="text-28 leading-34 digits">{own.length}</b>
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

type SuiteSectionProps = { readonly verdict: Verdict; readonly findings: readonly ReportFinding[] }

/** Bad findings are grouped by a careful RP's reaction, so that each group is one fix. */
const SuiteSection = ({ verdict, findings }: SuiteSectionProps) => {
  const words = texts.suite
  return (
    <section
      id={verdict}
      className={`${styles.section} grid gap-14`}
      data-verdict={verdict}
      aria-label={words.verdicts[verdict]}
    >
      <header className="grid gap-2 bg-surface rounded-10 px-16 py-12">
        <h2 className="text-18 leading-24">
          {words.verdicts[verdict]} <span className="weight-430 digits">{findings.length}</span>
        </h2>
        <p>{words.meaning[verdict]}</p>
      </header>
      {partsOf(verdict, findings).map(({ key, label, title, own }) => (
        <article key={key} className="cut bg-surface bordered rounded-10">
          {title === undefined ? null : (
            <h3 className="grid gap-2 text-15 breaks leading-20 bg-surface-2 line-below px-16 py-12">
              <small className="small faint weight-430">{label}</small>
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
  readonly own: readonly ReportFinding[]
}

const partsOf = (verdict: Verdict, findings: readonly ReportFinding[]): readonly Part[] => {
  const words = texts.suite
  if (verdict === 'held') return [{ key: verdict, own: findings }]
  if (!TRIED_VERDICTS.has(verdict)) {
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

type Verdict = ReportFinding['verdict']

/** From worst to best; findings that were not tried say nothing about the RP. */
const VERDICTS = [
  'let_in',
  'broke',
  'warned',
  'held',
  'not_struck',
  'vacuous',
  'skipped',
] as const satisfies readonly Verdict[]

export const findingsWith = ({ findings }: ReportSuite, verdict: Verdict): readonly ReportFinding[] =>
  findings.filter((finding) => finding.verdict === verdict)

export const worstVerdict = (suite: ReportSuite): Verdict =>
  VERDICTS.find((verdict) => findingsWith(suite, verdict).length > 0) ?? 'skipped'

type FindingGroup<Common> = { readonly common: Common; readonly findings: readonly ReportFinding[] }

/** Groups findings by a careful RP's reaction: one change of the RP fixes a group. */
export const byAct = (findings: readonly ReportFinding[]): readonly FindingGroup<CarefulAct>[] =>
  grouped(findings, carefulAct)

export const byReason = (findings: readonly ReportFinding[]): readonly FindingGroup<FindingReason>[] =>
  grouped(
    findings.flatMap((finding) =>
      TRIED_VERDICTS.has(finding.verdict) || finding.reason === undefined
        ? []
        : [{ ...finding, reason: finding.reason }],
    ),
    ({ reason }) => reason,
  )

/** The largest group first. */
const grouped = <F extends ReportFinding, Common>(
  findings: readonly F[],
  commonOf: (finding: F) => Common,
): readonly FindingGroup<Common>[] => {
  const groups = Map.groupBy(findings, (finding) => JSON.stringify(commonOf(finding)))
  return [...groups]
    .map(([common, own]) => ({ common: JSON.parse(common) as Common, findings: own }))
    .sort((a, b) => b.findings.length - a.findings.length)
}

const FindingTable = ({ findings }: { readonly findings: readonly ReportFinding[] }) => {
  const words = texts.suite
  return (
    <table className={`${styles.findings} wide`}>
      <thead>
        <tr className="unbroken">
          <th scope="col">{words.service}</th>
          <th scope="col">{findings.some(isBad) ? words.rp : words.careful}</th>
          <th scope="col">{words.story}</th>
          {findings.some(isBad) ? <td className="w-56" /> : null}
        </tr>
      </thead>
      <tbody className="divided">
        {findings.map((finding) => (
          <tr className="unbroken" key={`${finding.fault} ${finding.story}`}>
            <td>
              {trialText(finding.fault)}
              <code>{finding.fault}</code>
            </td>
            <td data-verdict={finding.verdict}>
              <small>{words.rule(ruleNumber(finding))}</small>
              {middleOf(finding)}
              <Evidence finding={finding} />
              {/* The RP's behaviour in numbers, shown even if the RP passed. */}
              {finding.behaviour === undefined ? null : <small>{words.behaviour(finding.behaviour)}</small>}
            </td>
            <td>
              {storyText(finding.story)}
              <code>{finding.story}</code>
            </td>
            {finding.again === undefined ? null : (
              <td>
                <CopyButton iconOnly name={words.again(finding.fault, finding.story)} text={finding.again} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const isBad = ({ verdict }: ReportFinding): boolean => TRIED_VERDICTS.has(verdict) && verdict !== 'held'

const middleOf = (finding: ReportFinding): string =>
  isBad(finding) && finding.reason !== undefined
    ? findingText(finding.reason)
    : messages.carefulActs[carefulAct(finding)]

const Evidence = ({ finding }: { readonly finding: ReportFinding }) => {
  const { struck, shown } = finding.proof ?? {}
  if (!isBad(finding) || (struck === undefined && shown === undefined)) return null
  const words = texts.suite
  return (
    <details className="small muted mt-4">
      <summary>{words.proof}</summary>
      {struck === undefined ? null : (
        <p>
          {words.struck(struck.seq)} <code>{struck.call}</code>
          <code>
            HTTP {struck.status} {struck.sent}
          </code>
          {words.honest} <code>{struck.honest}</code>
        </p>
      )}
      {shown === undefined ? null : (
        <p>
          {words.shown} {shown.address === undefined ? null : <code>{shown.address}</code>}
          <code>{shown.text}</code>
        </p>
      )}
      {shown?.screenshot === undefined ? null : (
        <img className="fits bordered" src={`data:image/png;base64,${shown.screenshot}`} alt={words.screenshot} />
      )}
    </details>
  )
}

/** Loaded here and not in messages.ts, because only reports use these texts. */
const [findings, stories] = language === 'zh' ? [chineseFindings, chineseStories] : [englishFindings, englishStories]

const findingText = (reason: FindingReason): string => textOf(findings, reason)

const storyText = (story: string): string => textOf(stories, { code: story })

const checkText = (name: RpCheckName): string => (language === 'zh' ? chineseChecks[name] : RP_CHECKS[name].title)

const trialText = (name: TrialName): string => (isRpCheckName(name) ? checkText(name) : serviceFaultText(name))
