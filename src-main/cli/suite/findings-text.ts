import { TRIAL_GROUPS, type TrialName, trialRowOf } from '../../contract/rp-checks.ts'
import { type FaultFinding, type SuiteReport, TRIED } from '../../contract/suite-findings.ts'
import { en } from '../../messages/en/en.ts'
import { findingText, trialGroups, trialText } from '../../messages/en/suite-findings.ts'
import { shellWord } from '../../protocol/shell-word.ts'
import { column, onOneLine, type Paint, paintFor, type Terminal } from '../terminal.ts'

/** The worst first. */
const VERDICTS = {
  let_in: { text: 'LET SOMEBODY IN', paint: ({ red }: Paint) => red },
  broke: { text: 'broke', paint: ({ yellow }: Paint) => yellow },
  warned: { text: 'WARNING', paint: ({ yellow }: Paint) => yellow },
  vacuous: { text: 'vacuous', paint: ({ dim }: Paint) => dim },
  not_struck: { text: 'not struck', paint: ({ dim }: Paint) => dim },
  skipped: { text: 'skipped', paint: ({ dim }: Paint) => dim },
  held: { text: 'held', paint: ({ green }: Paint) => green },
} as const satisfies Readonly<Record<FaultFinding['verdict'], unknown>>

const WORST_FIRST = Object.keys(VERDICTS) as (keyof typeof VERDICTS)[]
const VERDICT_WIDTH = 17
const INDENT = ' '.repeat(VERDICT_WIDTH + 2)

export const progressLine = (
  { fault, story, verdict }: FaultFinding,
  { done, of }: { readonly done: number; readonly of: number },
  { width }: Terminal,
): string => column(`${done} of ${of}  ${fault}, ${story}: ${VERDICTS[verdict].text}`, width - 1).trimEnd()

/** Each fault with what became of the RP in its stories, and the counts. */
export const findingsText = ({ findings, restored, took_ms, config }: SuiteReport, terminal: Terminal): string => {
  const paint = paintFor(terminal)
  const faults = [...new Set(findings.map(({ fault }) => fault))]
  const width = Math.max(...faults.map((fault) => fault.length)) + 2
  const lines = TRIAL_GROUPS.flatMap((group) => {
    const own = faults.filter((fault) => trialRowOf(fault).group === group)
    if (own.length === 0) return []
    const told = own.flatMap((fault) => {
      const stories = findings.filter((finding) => finding.fault === fault)
      return [headOf(fault, stories, { width, paint, terminal }), ...detailsOf(fault, stories, paint)]
    })
    return ['', paint.bold(trialGroups[group]), ...told]
  })
  const bad = findings.find(({ verdict }) => verdict === 'let_in' || verdict === 'broke')
  const time = paint.dim(`in ${(took_ms / 1000).toFixed(1)} s`)
  const end = [
    '',
    `${countsText(findings, { faults: faults.length, paint })} ${time}`,
    triedText(findings),
    ...(restored === 0 ? [] : [`The RP had to be brought back ${restored === 1 ? 'once' : `${restored} times`}.`]),
    ...(bad === undefined ? [] : [paint.dim(`One of them again: ${againText(bad, config)}`)]),
  ]
  return [...lines, ...end].join('\n').trimStart()
}

/** The command that plays one story alone. */
export const againText = ({ fault, story }: Pick<FaultFinding, 'fault' | 'story'>, config: string): string =>
  `handset suite rp --config ${shellWord(config)} --fault ${fault} --story ${story}`

type Around = { readonly width: number; readonly paint: Paint; readonly terminal: Terminal }

const headOf = (fault: TrialName, stories: readonly FaultFinding[], { width, paint, terminal }: Around): string => {
  const worst = WORST_FIRST.find((verdict) => stories.some((story) => story.verdict === verdict)) ?? 'held'
  const { text, paint: painted } = VERDICTS[worst]
  const head = `  ${painted(paint)(text.padEnd(VERDICT_WIDTH))}${fault.padEnd(width)}`
  const room = Math.max(20, terminal.width - VERDICT_WIDTH - width - 2)
  return head + paint.dim(column(trialText(fault), room).trimEnd())
}

const detailsOf = (fault: TrialName, stories: readonly FaultFinding[], paint: Paint): readonly string[] => {
  const told = stories.flatMap((finding) =>
    finding.reason === undefined
      ? []
      : [`${INDENT}${finding.story}: ${onOneLine(findingText(finding.reason))}`, ...proofOf(finding, paint)],
  )
  const careful = `A careful RP: ${en.carefulActs[trialRowOf(fault).act].replace(/^It /, 'it ')}.`
  const isBad = stories.some(({ verdict }) => TRIED.has(verdict) && verdict !== 'held')
  return isBad ? [...told, `${INDENT}${paint.dim(careful)}`] : told
}

/** The answer that was changed, and what the RP showed after it. */
const proofOf = ({ verdict, proof }: FaultFinding, paint: Paint): readonly string[] => {
  if (verdict !== 'let_in' && verdict !== 'broke') return []
  const { struck, shown } = proof ?? {}
  return [
    ...(struck === undefined
      ? []
      : [`event ${struck.seq}: ${struck.call} → ${onOneLine(struck.sent).slice(0, MOST_PROOF)}`]),
    ...(shown === undefined || shown.text === ''
      ? []
      : [`the RP shows: ${onOneLine(shown.text).slice(0, MOST_PROOF)}`]),
  ].map((line) => `${INDENT}  ${paint.dim(line)}`)
}

const MOST_PROOF = 160

/** How much could be tried at all, and why the rest could not. */
export const triedText = (findings: readonly FaultFinding[]): string => {
  const tried = findings.filter(({ verdict }) => TRIED.has(verdict)).length
  const reasons = new Map<string, number>()
  for (const { verdict, reason } of findings) {
    if (TRIED.has(verdict) || reason === undefined) continue
    const why = onOneLine(findingText(reason)).slice(0, MOST_PROOF)
    reasons.set(why, (reasons.get(why) ?? 0) + 1)
  }
  const not = [...reasons].toSorted((a, b) => b[1] - a[1]).map(([why, count]) => `${count} × ${why}`)
  return [`Tried ${tried} of ${findings.length}.`, ...(not.length === 0 ? [] : [`Not tried: ${not.join(' · ')}`])].join(
    ' ',
  )
}

const countsText = (
  findings: readonly FaultFinding[],
  { faults, paint }: { readonly faults: number; readonly paint: Paint },
): string => {
  const counts = WORST_FIRST.toReversed().flatMap((verdict) => {
    const count = findings.filter((finding) => finding.verdict === verdict).length
    const { text, paint: painted } = VERDICTS[verdict]
    return count === 0 ? [] : [painted(paint)(`${count} ${text}`)]
  })
  const named = faults === 1 ? '1 fault' : `${faults} faults`
  const what = faults === findings.length ? named : `${named} in ${findings.length} stories`
  return `${what}: ${counts.join(', ')}`
}
