import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { Scenario } from '../../../../src-main/testing/scenario/parse/scenario.ts'
import {
  findFiles,
  type PlayableScenario,
  readScenarios,
} from '../../../../src-main/testing/scenario/runner/read-scenarios.ts'
import * as runner from '../../../../src-main/testing/scenario/runner/run-jobs.ts'
import {
  formatScenarioId,
  parseScenarioId,
  scenarioSeed,
} from '../../../../src-main/testing/scenario/runner/scenario-id.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const playable = (file: string, more: Partial<Scenario> = {}): PlayableScenario => ({
  file,
  scenario: { name: file, tags: [], ...more } as unknown as Scenario,
})
const FOUND = [
  playable('a.yaml', { tags: ['fast'] }),
  playable('b.yaml', { name: 'Sign in', tags: ['fast', 'push'] }),
  playable('c.yaml'),
  playable('d.yaml'),
]
const selection: runner.Selection = {
  ...{ filter: undefined, exclude: undefined, shard: undefined, lastFailed: undefined },
  ...{ tags: [], repeat: 1, shuffle: false, seed: 1, clockFrozen: false },
}
const select = (part: Partial<runner.Selection>, found: readonly PlayableScenario[] = FOUND): readonly runner.Job[] => {
  const jobs = runner.planJobs(found, { ...selection, ...part })
  return jobs.ok ? jobs.value : []
}
const filesOf = (jobs: readonly runner.Job[]): readonly string[] => jobs.map(({ file }) => file)

test('tags, a filter and what failed the last time choose together', () => {
  expect(filesOf(select({ tags: ['fast'] }))).toEqual(['a.yaml', 'b.yaml'])
  expect(filesOf(select({ tags: ['fast', 'push'] }))).toEqual(['b.yaml'])
  expect(filesOf(select({ filter: (text) => text.includes('Sign') }))).toEqual(['b.yaml'])
  expect(filesOf(select({ exclude: (text) => text.includes('Sign') || text === 'd.yaml' }))).toEqual([
    'a.yaml',
    'c.yaml',
  ])
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

const played = (ok: boolean): runner.PlayedAttempt => ({ ok, workspace: 'w', began: 0, took_ms: 1, steps: [] })
const silent = { begin: () => undefined, step: () => undefined, retry: () => undefined, end: () => undefined }

test('one that passes when it is retried is flaky, one that never does is failed, and a skipped one is not played', async () => {
  const tries = new Map<string, number>()
  const jobs = select({}, [playable('flaky'), playable('bad'), playable('good'), playable('out', { skip: 'why' })])
  const results = await runner.runJobs(jobs, {
    play: async ({ file }) => {
      tries.set(file, (tries.get(file) ?? 0) + 1)
      return played(file === 'good' || (file === 'flaky' && tries.get(file) === 2))
    },
    ...{ parallel: 2, retries: 2, maxFailures: undefined, stop: new AbortController().signal, listener: silent },
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
  const results = await runner.runJobs(select({ repeat: 5 }), {
    play: async ({ file }) => {
      most = Math.max(most, ++now)
      await new Promise(setImmediate)
      now -= 1
      if (file === 'd.yaml') stop.abort()
      return played(true)
    },
    ...{ parallel: 3, retries: 0, maxFailures: undefined, stop: stop.signal, listener: silent },
  })
  expect(most).toBe(3)
  expect(results.map(({ outcome }) => outcome)).toContain('passed')
  expect(results.filter(({ outcome }) => outcome === 'stopped').length).toBeGreaterThan(10)
})

test('after the most failures nothing more begins', async () => {
  const { signal: stop } = new AbortController()
  const play = async ({ file }: runner.Job) => played(file === 'a.yaml')
  const results = await runner.runJobs(select({ repeat: 2 }), {
    ...{ play, parallel: 1, retries: 1, maxFailures: 2, stop, listener: silent },
  })
  const outcomes = ['passed', 'failed', 'failed', ...Array.from({ length: 5 }, () => 'stopped')]
  expect(results.map(({ outcome }) => outcome)).toEqual(outcomes)
})

const file = fc.string({ minLength: 1 }).filter((text) => !/[\n\r#\u2028\u2029]/.test(text))

test('an ID is read as it was written, whatever the file and the case are called', () => {
  fc.assert(
    fc.property(
      fc.record({ file, case: fc.string({ unit: 'grapheme' }), seed: fc.maxSafeNat(), clockFrozen: fc.boolean() }),
      (id) => {
        expect(parseScenarioId(formatScenarioId(id))).toEqual({ ok: true, value: id })
      },
    ),
  )
})

test.each(['', 'login.yaml', 'login.yaml@', '@12', 'login.yaml@x', 'login.yaml@99999999999999999'])(
  '%j is no ID',
  (text) => {
    expect(parseScenarioId(text)).toEqual({ ok: false, error: { code: 'not_scenario_id', params: { text } } })
  },
)

test('an ID with broken escapes is refused as such', () => {
  const error = { code: 'broken_escapes', params: { text: 'a.yaml#%@1' } }
  expect(parseScenarioId('a.yaml#%@1')).toEqual({ ok: false, error })
})

test('the seed of a scenario depends on the run, the file, the case and the round, each by itself', () => {
  const parts = { run: 1, file: 'a.yaml', case: undefined, round: 0 }
  const seeds = [
    parts,
    { ...parts, run: 2 },
    { ...parts, file: 'b.yaml' },
    { ...parts, case: 'x' },
    { ...parts, round: 1 },
  ]
  expect(new Set(seeds.map(scenarioSeed)).size).toBe(seeds.length)
  expect(scenarioSeed(parts)).toBe(scenarioSeed({ ...parts }))
})

const SCENARIO = 'name: One\nsteps:\n  - register: { user_id: u, username: u }\n'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  for (const name of ['a.yaml', 'b.yml', 'below/c.yaml', 'node_modules/d.yaml', '.git/e.yaml']) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), SCENARIO)
  }
  writeFileSync(join(folder, 'compose.yaml'), 'services: { web: {} }\n')
  writeFileSync(join(folder, 'notes.txt'), SCENARIO)
})

const namesOf = (...paths: readonly string[]) => {
  const found = findFiles(paths.map((path) => join(folder, path)))
  return found.ok ? found.value.map(({ name }) => relative(folder, resolve(name))) : found.error
}

test('a folder gives the YAML files below it, without those of packages and hidden folders', () => {
  expect(namesOf('.')).toEqual(['a.yaml', 'b.yml', 'below/c.yaml', 'compose.yaml'])
})

test('a pattern gives what matches, and a file that is found twice is there once', () => {
  expect(namesOf('**/*.yaml')).toEqual(['a.yaml', 'below/c.yaml', 'compose.yaml'])
  expect(namesOf('a.yaml', 'below/../a.yaml', '*.yaml')).toEqual(['a.yaml', 'compose.yaml'])
})

test('what is not there is refused', () => {
  mkdirSync(join(folder, 'below/empty'))
  for (const path of ['no.yaml', '*.json', 'below/empty']) expect(findFiles([join(folder, path)]).ok).toBe(false)
})

test('YAML without steps is passed over in a folder, and refused when it is named', () => {
  const read = (...paths: readonly string[]) => {
    const found = findFiles(paths.map((path) => join(folder, path)))
    return found.ok ? readScenarios(found.value) : found
  }
  const all = read('.')
  expect(all.ok && all.value.map(({ file }) => relative(folder, resolve(file)))).toEqual([
    'a.yaml',
    'b.yml',
    'below/c.yaml',
  ])
  expect(read('compose.yaml').ok).toBe(false)
  writeFileSync(join(folder, 'below/broken.yaml'), 'name: x\nsteps: [\n')
  writeFileSync(join(folder, 'below/broken-too.yaml'), 'name: x\nsteps: 1\n')
  const files = ['broken-too.yaml', 'broken.yaml'].map((name) => ({ at: [{ file: join(folder, 'below', name) }, {}] }))
  expect(read('below')).toMatchObject({ ok: false, error: files })
})

test.skipIf(process.platform === 'win32')('a link that leads nowhere, or to itself, is refused by name', () => {
  const links = join(folder, 'links')
  for (const [name, target] of [
    ['nowhere', 'none'],
    ['loop', 'x.yaml'],
  ] as const) {
    mkdirSync(join(links, name), { recursive: true })
    const file = join(links, name, 'x.yaml')
    symlinkSync(target, file)
    const found = findFiles([join(links, name)])
    const read = found.ok ? readScenarios(found.value) : found
    expect([read.ok ? [] : read.error].flat()).toMatchObject([{ params: { path: file } }])
  }
})

test('a YAML file that is larger than a scenario can be is passed over in a folder, and refused when it is named', () => {
  const path = join(folder, 'large')
  mkdirSync(path)
  writeFileSync(join(path, 'a.yaml'), SCENARIO)
  const large = join(path, 'large.yaml')
  writeFileSync(large, SCENARIO)
  truncateSync(large, 1024 ** 3)
  const read = (at: string) => {
    const found = findFiles([at])
    return found.ok ? readScenarios(found.value) : found
  }
  expect(read(path)).toMatchObject({ ok: true, value: { length: 1 } })
  expect(read(large)).toMatchObject({ ok: false, error: [{ code: 'file_too_large', params: { path: large } }] })
})
