import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { monotonicMicros } from '../../../src-main/bench/harness/clock.ts'
import type { BenchEvent } from '../../../src-main/core/contract/events.ts'
import { en } from '../../../src-main/core/messages/en/en.ts'
import type { ControlClient } from '../../../src-main/sdk/client.ts'
import type { Scenario } from '../../../src-main/testing/scenario/parse/scenario.ts'
import { runScenario } from '../../../src-main/testing/scenario/run-scenario.ts'
import type { StepReport } from '../../../src-main/testing/scenario/scenario-setting.ts'
import { recordScenario } from '../../../src-main/views/recording/record-scenario.ts'
import { START } from '../../support/bench.ts'
import { withoutWallTimes } from '../../support/event-streams.ts'
import { parseOne } from '../../support/parse-one.ts'

const WORKSPACE = 'recorded'

export type Run = { readonly failed: readonly StepReport[]; readonly events: readonly BenchEvent[] }

/** Plays a scenario under a seed, in a workspace that is always called the same: all that is drawn repeats. */
export const playSeeded = async (client: ControlClient, scenario: Scenario): Promise<Run> => {
  const failed: StepReport[] = []
  let events: readonly BenchEvent[] = []
  await runScenario(scenario, {
    ...{ client, seed: 7, workspace: WORKSPACE, start: START, micros: monotonicMicros },
    pause: (ms) => setTimeout(ms),
    stop: new AbortController().signal,
    onStep: (report) => report.ok || failed.push(report),
    beforeClose: async (workspace) => {
      events = (await workspace.call('events.list', { query: { limit: 5000 } })).events
    },
  })
  return { failed, events }
}

export const recordRun = ({ events }: Run, after = 0): string =>
  recordScenario({ workspace: WORKSPACE, name: 'What was recorded', events, after, rps: [], texts: en.recordingNotes })
    .text

/** Plays a scenario, and what was recorded of it. */
export const expectSameAgain = async (client: ControlClient, scenario: Scenario): Promise<void> => {
  const first = await playSeeded(client, scenario)
  const again = await playSeeded(client, parseOne(recordRun(first)))
  expect({ name: scenario.name, failed: again.failed }).toEqual({ name: scenario.name, failed: [] })
  expect(comparable(again.events)).toEqual(comparable(first.events))
  expect(first.events.length).toBeGreaterThan(10)
}

/**
 * What must be the same when a recording is played: everything that repeats under a seed, but looks at a message that is not
 * over (a recording looks once), clocks that are set to what they show, the time of seeding, and ids that are drawn later for
 * one call more or less.
 */
const comparable = (events: readonly BenchEvent[]): readonly unknown[] => {
  const ids = new Map<string, string>()
  let clock = ''
  const seeded = events.findIndex(({ kind }) => kind === 'clock')
  const told = events.slice(seeded).filter((event) => {
    if (event.kind === 'clock') {
      const reading = `${event.now} ${event.frozen} ${event.speed}`
      const moved = reading !== clock
      clock = reading
      return moved
    }
    return !isLook(event) && event.kind !== 'push'
  })
  return told.map((event) => {
    const { seq: _, ...rest } = withoutWallTimes(event) as Record<string, unknown>
    return JSON.parse(JSON.stringify(rest).replace(ID, (id) => ids.get(id) ?? remember(ids, id)))
  })
}

const ID = /\b(req|flt|sft|snp|ak)_[a-z0-9]+/g

const remember = (ids: Map<string, string>, id: string): string => {
  const name = `${id.split('_')[0]}-${ids.size}`
  ids.set(id, name)
  return name
}

const isLook = (event: BenchEvent): boolean => {
  if (event.kind !== 'exchange' || event.interface !== 'rp' || !event.request.target.includes('/result')) return false
  const status = /"status":"(\w+)"/.exec(event.response.body)?.[1]
  return status === 'init' || status === 'bind'
}
