import { en } from '../messages/en/en.ts'
import { findingsOf } from '../messages/event-findings.ts'
import { eventSummary } from '../messages/event-summary.ts'
import type { ControlClient } from '../sdk/client.ts'

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

/** What failed, was refused or still waits in the workspace. */
export const whyIn = async (client: ControlClient): Promise<readonly string[]> => {
  const { events } = await client.call('events.list', { query: { limit: LOOKED_THROUGH, latest: true, brief: true } })
  return findingsOf(events, en).slice(-MOST_REASONS).map(inOneLine)
}

const inOneLine = ({ text, times }: { readonly text: string; readonly times: number }): string =>
  times === 1 ? text : `${text} (${times} times)`
