import { SERVICE_FAULT_GROUPS } from '../../contract/service-fault.ts'
import { type ServiceFaultName, serviceFaultOf } from '../../contract/service-faults.ts'
import type { FaultFinding, SuiteReport } from '../../contract/suite-findings.ts'
import { en } from '../../messages/en/en.ts'
import { serviceFaultGroups } from '../../messages/en/service-faults.ts'
import { findingText } from '../../messages/en/suite-findings.ts'
import { shellWord } from '../shell-word.ts'
import { column, onOneLine, type Paint, paintFor, type Terminal } from '../terminal.ts'

/** The worst first. */
const VERDICTS = {
  let_in: { text: 'LET SOMEBODY IN', paint: ({ red }: Paint) => red },
  broke: { text: 'broke', paint: ({ yellow }: Paint) => yellow },
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
  const lines = SERVICE_FAULT_GROUPS.flatMap((group) => {
    const own = faults.filter((fault) => serviceFaultOf(fault).group === group)
    if (own.length === 0) return []
    const told = own.flatMap((fault) => {
      const stories = findings.filter((finding) => finding.fault === fault)
      return [headOf(fault, stories, { width, paint, terminal }), ...detailsOf(fault, stories, paint)]
    })
    return ['', paint.bold(serviceFaultGroups[group]), ...told]
  })
  const bad = findings.find(({ verdict }) => verdict === 'let_in' || verdict === 'broke')
  const time = paint.dim(`in ${(took_ms / 1000).toFixed(1)} s`)
  const end = [
    '',
    `${countsText(findings, { faults: faults.length, paint })} ${time}`,
    ...(restored === 0 ? [] : [`The RP had to be brought back ${restored === 1 ? 'once' : `${restored} times`}.`]),
    ...(bad === undefined ? [] : [paint.dim(`One of them again: ${againText(bad, config)}`)]),
  ]
  return [...lines, ...end].join('\n').trimStart()
}

/** The command that plays one story alone. */
export const againText = ({ fault, story }: Pick<FaultFinding, 'fault' | 'story'>, config: string): string =>
  `handset suite rp --config ${shellWord(config)} --fault ${fault} --story ${story}`

type Around = { readonly width: number; readonly paint: Paint; readonly terminal: Terminal }

const headOf = (
  fault: ServiceFaultName,
  stories: readonly FaultFinding[],
  { width, paint, terminal }: Around,
): string => {
  const worst = WORST_FIRST.find((verdict) => stories.some((story) => story.verdict === verdict)) ?? 'held'
  const { text, paint: painted } = VERDICTS[worst]
  const head = `  ${painted(paint)(text.padEnd(VERDICT_WIDTH))}${fault.padEnd(width)}`
  const room = Math.max(20, terminal.width - VERDICT_WIDTH - width - 2)
  return head + paint.dim(column(en.serviceFaults[fault], room).trimEnd())
}

const detailsOf = (fault: ServiceFaultName, stories: readonly FaultFinding[], paint: Paint): readonly string[] => {
  const told = stories.flatMap((finding) =>
    finding.verdict === 'held' ? [] : [`${INDENT}${finding.story}: ${onOneLine(findingText(finding.reason))}`],
  )
  const careful = `A careful RP: ${en.carefulActs[serviceFaultOf(fault).act].replace(/^It /, 'it ')}.`
  const isBad = stories.some(({ verdict }) => verdict === 'let_in' || verdict === 'broke')
  return isBad ? [...told, `${INDENT}${paint.dim(careful)}`] : told
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
