import { careOf, ruleOf, type ToldFinding, TRIED } from '../../src-main/core/contract/suite-findings.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import styles from './finding-table.module.css'
import { findingText, storyText, trialText } from './suite-words.ts'

/** Findings of one verdict: the service's mistake, the RP's reaction or the better one, and the story. */
export const FindingTable = ({ findings }: { readonly findings: readonly ToldFinding[] }) => {
  const words = texts.suite
  return (
    <table className={styles.findings}>
      <thead>
        <tr>
          <th scope="col">{words.service}</th>
          <th scope="col">{findings.some(isBad) ? words.rp : words.careful}</th>
          <th scope="col">{words.story}</th>
          {findings.some(isBad) ? <td /> : null}
        </tr>
      </thead>
      <tbody>
        {findings.map((finding) => (
          <tr key={`${finding.fault} ${finding.story}`}>
            <td>
              {trialText(finding.fault)}
              <code>{finding.fault}</code>
            </td>
            <td data-verdict={finding.verdict}>
              <small>{words.rule(ruleOf(finding))}</small>
              {middleOf(finding)}
              <Evidence finding={finding} />
              <Measured finding={finding} />
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

const isBad = ({ verdict }: ToldFinding): boolean => TRIED.has(verdict) && verdict !== 'held'

const middleOf = (finding: ToldFinding): string =>
  isBad(finding) && finding.reason !== undefined ? findingText(finding.reason) : messages.carefulActs[careOf(finding)]

type Of = { readonly finding: ToldFinding }

/** The changed answer, and the RP's page after it. */
const Evidence = ({ finding }: Of) => {
  const { struck, shown } = finding.proof ?? {}
  if (!isBad(finding) || (struck === undefined && shown === undefined)) return null
  const words = texts.suite
  return (
    <details>
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
        <img src={`data:image/png;base64,${shown.screenshot}`} alt={words.screenshot} />
      )}
    </details>
  )
}

/** The RP's behaviour in numbers; also if it passed. */
const Measured = ({ finding: { behaviour } }: Of) =>
  behaviour === undefined ? null : <small>{texts.suite.behaviour(behaviour)}</small>
