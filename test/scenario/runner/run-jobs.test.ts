import { expect, test } from 'vitest'
import type { Scenario } from '../../../src-main/scenario/parse/scenario.ts'
import { type Job, planJobs, type Selection } from '../../../src-main/scenario/runner/plan-jobs.ts'
import type { Playable } from '../../../src-main/scenario/runner/read-scenarios.ts'
import { type Played, runJobs } from '../../../src-main/scenario/runner/run-jobs.ts'

const playable = (file: string, more: Partial<Scenario> = {}): Playable => ({
  file,
  scenario: { name: file, tags: [], ...more } as unknown as Scenario,
})
const FOUND = [
  playable('a.yaml', { tags: ['fast'] }),
  playable('b.yaml', { name: 'Sign in', tags: ['fast', 'push'] }),
  playable('c.yaml'),
  playable('d.yaml'),
]
const selection: Selection = {
  ...{ filter: undefined, shard: undefined, lastFailed: undefined },
  ...{ tags: [], repeat: 1, shuffle: false, seed: 1, clockStands: false },
}
const select = (part: Partial<Selection>, found: readonly Playable[] = FOUND): readonly Job[] => {
  const jobs = planJobs(found, { ...selection, ...part })
  return jobs.ok ? jobs.value : []
}
const filesOf = (jobs: readonly Job[]): readonly string[] => jobs.map(({ file }) => file)

test('tags, a filter and what failed the last time choose together', () => {
  expect(filesOf(select({ tags: ['fast'] }))).toEqual(['a.yaml', 'b.yaml'])
  expect(filesOf(select({ tags: ['fast', 'push'] }))).toEqual(['b.yaml'])
  expect(filesOf(select({ filter: (text) => text.includes('Sign') }))).toEqual(['b.yaml'])
  expect(filesOf(select({ lastFailed: new Set(['c.yaml', 'a.yaml']) }))).toEqual(['a.yaml', 'c.yaml'])
  expect(filesOf(select({}, [...FOUND, playable('e.yaml', { only: 'because' })]))).toEqual(['e.yaml'])
  expect(select({ tags: ['none'] })).toEqual([])
})

test('the shards of a shuffled, repeated run are together the run, each scenario once a round', () => {
  const whole = select({ shuffle: true, repeat: 3 })
  const parts = [1, 2, 3].flatMap((part) => select({ shuffle: true, repeat: 3, shard: { part, of: 3 } }))
  expect(new Set(whole.map(({ id }) => id)).size).toBe(12)
  expect(parts.map(({ id }) => id).sort()).toEqual(whole.map(({ id }) => id).sort())
  expect(filesOf(whole)).not.toEqual(filesOf(select({ repeat: 3 })))
})

test('the order changes neither ids nor seeds', () => {
  const plain = select({})
  expect(select({ shuffle: true }).toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual(plain)
  expect(select({ filter: (text) => text === 'c.yaml' })).toEqual(plain.filter(({ file }) => file === 'c.yaml'))
})

const played = (ok: boolean): Played => ({ ok, workspace: 'w', began: 0, took_ms: 1, steps: [] })
const silent = { begin: () => undefined, step: () => undefined, retry: () => undefined, end: () => undefined }

test('one that passes when it is retried is flaky, one that never does is failed, and a skipped one is not played', async () => {
  const tries = new Map<string, number>()
  const jobs = select({}, [playable('flaky'), playable('bad'), playable('good'), playable('out', { skip: 'why' })])
  const results = await runJobs(jobs, {
    play: async ({ file }) => {
      tries.set(file, (tries.get(file) ?? 0) + 1)
      return played(file === 'good' || (file === 'flaky' && tries.get(file) === 2))
    },
    ...{ parallel: 2, retries: 2, stop: new AbortController().signal, listener: silent },
  })
  expect(results.map(({ outcome, attempts }) => [outcome, attempts.length])).toEqual([
    ['flaky', 2],
    ['failed', 3],
    ['passed', 1],
    ['skipped', 0],
  ])
})

test('no more than were asked for run at a time, and a run that is ended begins nothing more', async () => {
  const stop = new AbortController()
  let now = 0
  let most = 0
  const results = await runJobs(select({ repeat: 5 }), {
    play: async ({ file }) => {
      most = Math.max(most, ++now)
      await new Promise(setImmediate)
      now -= 1
      if (file === 'd.yaml') stop.abort()
      return played(true)
    },
    ...{ parallel: 3, retries: 0, stop: stop.signal, listener: silent },
  })
  expect(most).toBe(3)
  expect(results.map(({ outcome }) => outcome)).toContain('passed')
  expect(results.filter(({ outcome }) => outcome === 'stopped').length).toBeGreaterThan(10)
})
