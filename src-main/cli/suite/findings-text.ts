import {
  findTrialRow,
  isRpCheckName,
  TRIAL_GROUPS,
  type TrialName,
  trialGroups,
} from '../../core/contract/rp-checks.ts'
import {
  carefulAct,
  type FaultFinding,
  findingText,
  type ReportSuite,
  ruleNumber,
  type SharedCause,
  type SuiteReport,
  sharedCauses,
  TRIED_VERDICTS,
  type Trial,
} from '../../core/contract/suite-findings.ts'
import { en } from '../../core/messages/en/en.ts'
import type { Viewer } from '../../views/report/html-template.ts'
import { suiteJunit } from '../../views/report/suite-junit.ts'
import { jsonFile } from '../run/results-folder.ts'
import { suitePage } from '../run/viewer-pages.ts'
import { fitColumn, type Paint, paintFor, type Terminal, toOneLine } from '../terminal.ts'

/** Verdicts, with the worst first. */
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

export const progressLine = ({ fault, story, verdict }: FaultFinding, progress: string, { width }: Terminal): string =>
  fitColumn(`${progress}  ${fault}, ${story}: ${VERDICTS[verdict].text}`, width - 1).trimEnd()

/** Fewest stories that allow an estimate. */
const MIN_PLAYED = 8

/** The number of played stories and the time left at this pace. All checks are reported together, first. */
export const suiteProgress = (trials: readonly Trial[], now: () => number) => {
  const faults = trials.filter(({ fault }) => !isRpCheckName(fault)).length
  let [done, played] = [0, 0]
  let from: number | undefined
  const leftText = (): string => {
    if (from === undefined || played < MIN_PLAYED || played >= faults) return ''
    const seconds = ((now() - from) / 1000 / played) * (faults - played)
    return seconds < 90
      ? `about ${Math.ceil(seconds / 10) * 10} s left, `
      : `about ${Math.ceil(seconds / 60)} min left, `
  }
  return {
    add: ({ fault }: Trial): void => {
      from ??= now()
      done += 1
      if (!isRpCheckName(fault)) played += 1
    },
    text: (): string => `${leftText()}${done} of ${trials.length} stories played`,
  }
}

export const findingsText = ({ findings, restored, took_ms, again }: SuiteReport, terminal: Terminal): string => {
  const paint = paintFor(terminal)
  const shared = sharedCauses(findings)
  const isShared = (finding: FaultFinding): boolean => shared.some((cause) => cause.findings.includes(finding))
  const faults = [...new Set(findings.map(({ fault }) => fault))]
  const width = Math.max(...faults.map((fault) => fault.length)) + 2
  const lines = TRIAL_GROUPS.flatMap((group) => {
    const own = faults.filter((fault) => findTrialRow(fault).group === group)
    if (own.length === 0) return []
    const details = own.flatMap((fault) => {
      const stories = findings.filter((finding) => finding.fault === fault)
      const own = stories.filter((finding) => !isShared(finding))
      return own.length === 0 ? [] : [headOf(fault, own, { width, paint, terminal }), ...detailsOf(own, paint)]
    })
    return details.length === 0 ? [] : ['', paint.bold(trialGroups[group]), ...details]
  })
  const bad = findings.find(({ verdict }) => verdict === 'let_in' || verdict === 'broke')
  const time = paint.dim(`in ${(took_ms / 1000).toFixed(1)} s`)
  const end = [
    '',
    `${countsText(findings, { faults: faults.length, paint })} ${time}`,
    ...shared.map((cause) => `${cause.findings.length} of them broke by one cause: ${cause.cause.error}`),
    triedSummary(findings),
    ...endedText(findings, again),
    ...(restored === 0 ? [] : [`The RP had to be brought back ${restored === 1 ? 'once' : `${restored} times`}.`]),
    ...(bad === undefined ? [] : [paint.dim(`One of them again: ${repeatCommand(bad, again)}`)]),
  ]
  return [...causesText(shared, paint), ...lines, ...end].join('\n').trimStart()
}

const causesText = (shared: readonly SharedCause[], paint: Paint): readonly string[] =>
  shared.flatMap(({ cause, findings }) => {
    const faults = [...new Set(findings.map(({ fault }) => fault))]
    const places = faults.map((fault) => {
      const stories = findings.filter((finding) => finding.fault === fault).map(({ story }) => story)
      return `${fault} (${stories.join(', ')})`
    })
    const { text, paint: painted } = VERDICTS.broke
    return [
      '',
      paint.bold(`One cause in ${findings.length} places`),
      `  ${painted(paint)(text.padEnd(VERDICT_WIDTH))}${toOneLine(cause.error)}`,
      ...(cause.frame === undefined ? [] : [`${INDENT}at ${toOneLine(cause.frame)}`]),
      `${INDENT}${places.join(', ')}`,
      ...adviceOf(findings).map((line) => `${INDENT}${paint.dim(line)}`),
    ]
  })

const endedText = (findings: readonly FaultFinding[], again: string): readonly string[] => {
  const gone = findings.filter(({ reason }) => reason?.code === 'rp_gone').length
  const beside = findings.filter(({ reason }) => reason?.code === 'stopped_beside')
  if (gone + beside.length === 0) return []
  const end = `The RP stopped working after ${findings.length - gone} of ${findings.length} stories, and the walk ended.`
  if (beside.length === 0) return [`${end} Start it again.`]
  return [
    `${end} One of these ended it. Start it again, and play them one at a time:`,
    ...beside.map((finding) => `  ${repeatCommand(finding, again)}`),
  ]
}

export const repeatCommand = ({ fault, story }: Pick<FaultFinding, 'fault' | 'story'>, again: string): string =>
  `${again} --fault ${fault} --story ${story}`

type Around = { readonly width: number; readonly paint: Paint; readonly terminal: Terminal }

const headOf = (fault: TrialName, stories: readonly FaultFinding[], { width, paint, terminal }: Around): string => {
  const worst = WORST_FIRST.find((verdict) => stories.some((story) => story.verdict === verdict)) ?? 'held'
  const { text, paint: painted } = VERDICTS[worst]
  const head = `  ${painted(paint)(text.padEnd(VERDICT_WIDTH))}${fault.padEnd(width)}`
  const room = Math.max(20, terminal.width - VERDICT_WIDTH - width - 2)
  return head + paint.dim(fitColumn(findTrialRow(fault).title, room).trimEnd())
}

const adviceOf = (stories: readonly FaultFinding[]): readonly string[] => {
  const bad = stories.filter(({ verdict }) => TRIED_VERDICTS.has(verdict) && verdict !== 'held')
  const advice = bad.map((finding) => {
    const act = en.carefulActs[carefulAct(finding)].replace(/^It /, 'it ')
    return `Rule ${ruleNumber(finding)}. A careful RP: ${act}.`
  })
  return [...new Set(advice)]
}

const detailsOf = (stories: readonly FaultFinding[], paint: Paint): readonly string[] => {
  const details = stories.flatMap((finding) =>
    finding.reason === undefined
      ? []
      : [`${INDENT}${finding.story}: ${toOneLine(findingText(finding.reason))}`, ...proofOf(finding, paint)],
  )
  return [...details, ...adviceOf(stories).map((line) => `${INDENT}${paint.dim(line)}`)]
}

const proofOf = ({ verdict, proof }: FaultFinding, paint: Paint): readonly string[] => {
  if (verdict !== 'let_in' && verdict !== 'broke') return []
  const { struck, shown } = proof ?? {}
  return [
    ...(struck === undefined
      ? []
      : [`event ${struck.seq}: ${struck.call} → HTTP ${struck.status} ${toOneLine(struck.sent).slice(0, MAX_PROOF)}`]),
    ...(shown === undefined || shown.text === '' ? [] : [`the RP shows: ${toOneLine(shown.text).slice(0, MAX_PROOF)}`]),
  ].map((line) => `${INDENT}  ${paint.dim(line)}`)
}

const MAX_PROOF = 160

const triedSummary = (findings: readonly FaultFinding[]): string => {
  const untried = findings.filter(({ verdict }) => !TRIED_VERDICTS.has(verdict))
  const reasons = untried.flatMap(({ reason }) =>
    reason === undefined ? [] : [toOneLine(findingText(reason)).slice(0, MAX_PROOF)],
  )
  const counted = [...Map.groupBy(reasons, (why) => why)].toSorted(([, a], [, b]) => b.length - a.length)
  const not = counted.map(([why, all]) => `${all.length} × ${why}`).join(' · ')
  return `Tried ${findings.length - untried.length} of ${findings.length}.${not === '' ? '' : ` Not tried: ${not}`}`
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

/** `viewer` is present if HTML is wanted. */
export const suiteFiles = (report: SuiteReport, viewer: Viewer | undefined) =>
  ({
    html: ['suite.html', () => (viewer === undefined ? '' : suitePage(addSentences(report), viewer))],
    junit: ['suite.xml', () => suiteJunit(report, (finding) => repeatCommand(finding, report.again))],
    json: ['suite.json', () => jsonFile(addSentences(report))],
  }) as const

/** Adds sentences and commands for a person to the codes for a program. */
export const addSentences = (report: SuiteReport): ReportSuite => ({
  ...report,
  causes: sharedCauses(report.findings).map(({ cause, findings }) => ({
    ...cause,
    places: findings.map(({ fault, story }) => ({ fault, story })),
  })),
  findings: report.findings.map((finding) => {
    const ruled = { ...finding, rule: ruleNumber(finding) }
    if (finding.reason === undefined) return ruled
    const why = findingText(finding.reason)
    return !TRIED_VERDICTS.has(finding.verdict) && finding.reason.code !== 'stopped_beside'
      ? { ...ruled, why }
      : { ...ruled, why, again: repeatCommand(finding, report.again) }
  }),
})
