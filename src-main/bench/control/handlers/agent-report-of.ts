import { REPORT_SEED } from '../../../core/contract/report-block.ts'
import { en } from '../../../core/messages/en/en.ts'
import { findingsOf } from '../../../core/messages/event-findings.ts'
import { ok } from '../../../core/protocol/result.ts'
import { recordScenario } from '../../../views/recording/record-scenario.ts'
import { agentReport } from '../../../views/report/agent-report.ts'
import { reportFile } from '../../../views/report/report-file.ts'
import { verdictWords } from '../../../views/report/verdict-line.ts'
import { revealsSecrets } from '../callers.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Answer, Call } from '../handler.ts'
import { withOpinions } from '../with-opinions.ts'
import { RECORDED_EVENTS } from './events-before.ts'
import { explainExchanges } from './explain-exchanges.ts'
import { proofOf } from './proof-of.ts'
import { type ReportScope, reportScope } from './report-scope.ts'

const MOST_SIGNATURES = 3

type Told = { readonly markdown: string; readonly file: string; readonly repeats: boolean }

/** Undefined: its scenario repeats it. */
type Lack = ReportScope['lacks'] | 'steps'

const WHY_NOT: Readonly<Record<NonNullable<Lack>, string>> = {
  beginning: 'No scenario repeats it: how it began is no longer kept.',
  end: `No scenario repeats it: more than ${RECORDED_EVENTS} events belong to it.`,
  steps: 'No scenario repeats it: no step of one does what was done here.',
}

/** What happened, in words, with the scenario that repeats it. */
export const agentReportOf = async (
  parts: ControlParts,
  { workspace, query, caller }: Call<'events.agent-report'>,
): Answer<Told> => {
  const { recorder, admin, real, seedOf, info } = parts
  const { title, failure } = query
  const scope = reportScope(recorder, workspace, query)
  if (!scope.ok) return scope
  const rps = await admin.rps.list(workspace)
  if (!rps.ok) return rps
  const { after, before, during, lacks } = scope.value
  const events = await withOpinions(admin, workspace, during)
  // The same refusal many times is one finding: its last event alone is explained.
  const told = new Set(findingsOf(events, en).map((finding) => finding.seq))
  const refused = events.filter((event) => told.has(event.seq))
  const signatures = await explainExchanges(parts, workspace, { events: refused, most: MOST_SIGNATURES })
  const name = title ?? verdictWords(events)
  const { text, steps, profile } = recordScenario({
    ...{ workspace, name, after, rps: rps.value, texts: en.recordingNotes, proof: proofOf(events), resends: true },
    events: [...before, ...events],
  })
  const lack: Lack = lacks ?? (steps === 0 ? 'steps' : undefined)
  const seed = revealsSecrets(caller) ? seedOf(workspace) : undefined
  const repeat = lack === undefined ? { text, seed: seed ?? REPORT_SEED } : WHY_NOT[lack]
  const about = { workspace, version: info.version, seed, profile, now: real.now() }
  const markdown = agentReport({ title, failure, ...about, events, signatures, repeat }, en)
  return ok({ markdown, file: reportFile(name), repeats: lack === undefined })
}
