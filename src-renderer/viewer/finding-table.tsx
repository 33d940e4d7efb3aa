import { serviceFaultOf } from '../../src-main/contract/service-faults.ts'
import type { ToldFinding } from '../../src-main/contract/suite-findings.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { messages, serviceFaultText } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import styles from './finding-table.module.css'
import { findingText, storyText } from './suite-words.ts'

/** Findings of one verdict: what the service did, what the RP did or would have done, and in which story. */
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
              {serviceFaultText(finding.fault)}
              <code>{finding.fault}</code>
            </td>
            <td data-verdict={finding.verdict}>{middleOf(finding)}</td>
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

type Bad = Extract<ToldFinding, { readonly verdict: 'broke' | 'let_in' }>

const isBad = (finding: ToldFinding): finding is Bad => finding.verdict === 'broke' || finding.verdict === 'let_in'

const middleOf = (finding: ToldFinding): string =>
  isBad(finding) ? findingText(finding.reason) : messages.carefulActs[serviceFaultOf(finding.fault).act]
