import type { BenchEvent } from '../../core/contract/events.ts'
import { en } from '../../core/messages/en/en.ts'
import { findingLine, findingsOf } from '../../core/messages/event-findings.ts'
import { eventSummary } from '../../core/messages/event-summary.ts'
import type { ControlClient } from '../../sdk/client.ts'
import type { StepReport } from './scenario-setting.ts'

/** A line for each of the first events after this one; the same line once, with its count. */
export const eventsSince = async (client: ControlClient, seq: number): Promise<readonly string[]> => {
  const { events } = await client.call('events.list', { query: { after: seq, limit: 50, brief: true } })
  const lines: { text: string; times: number }[] = []
  for (const text of events.map(eventSummary)) {
    const last = lines.at(-1)
    if (last?.text === text) last.times += 1
    else lines.push({ text, times: 1 })
  }
  return lines.map(inOneLine)
}

/** More than a scenario leaves behind; beyond that the trace tells it. */
const LOOKED_THROUGH = 1000
const MOST_REASONS = 4
const MOST_VERDICTS = 20

/** What failed, was refused or still waits in the workspace, and which of it are faults that struck. */
export const whyIn = async (client: ControlClient): Promise<Pick<StepReport, 'why' | 'faults'>> => {
  const query = { latest: true, brief: true } as const
  const { events } = await client.call('events.list', { query: { ...query, limit: LOOKED_THROUGH } })
  const found = findingsOf(await withVerdicts(client, events), en).slice(-MOST_REASONS)
  const faults = found.flatMap(({ fault }, i) => (fault === undefined ? [] : [i]))
  const why = found.map((finding) => inOneLine({ text: findingLine(finding), times: finding.times }))
  return { why, ...(faults.length === 0 ? {} : { faults }) }
}

/** What a faulty phone sent stands in the steps of the verdict: a brief list leaves them out. */
const withVerdicts = async (client: ControlClient, events: readonly BenchEvent[]): Promise<readonly BenchEvent[]> => {
  if (!events.some((event) => event.kind === 'phone' && event.struck !== undefined)) return events
  const query = { kind: 'verdict', latest: true, limit: MOST_VERDICTS } as const
  const whole = new Map((await client.call('events.list', { query })).events.map((event) => [event.seq, event]))
  return events.map((event) => whole.get(event.seq) ?? event)
}

const inOneLine = ({ text, times }: { readonly text: string; readonly times: number }): string =>
  times === 1 ? text : `${text} (${times} times)`
