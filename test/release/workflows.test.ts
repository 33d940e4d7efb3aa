import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../support/imports.ts'
import { notesOf, releaseProblems, type Versions, versionsFor } from './release-problems.ts'

type Step = { readonly uses?: string; readonly run?: string; readonly with?: Readonly<Record<string, unknown>> }
type Job = {
  readonly uses?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly needs?: string | readonly string[]
  readonly 'timeout-minutes'?: number
  readonly steps?: readonly Step[]
}
type Workflow = { readonly permissions?: unknown; readonly jobs: Readonly<Record<string, Job>> }

const folder = join(ROOT, '.github/workflows')
const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8')
  return { name, text, workflow: parse(text, { merge: true }) as Workflow }
})
const jobs = workflows.flatMap(({ name, workflow }) =>
  Object.entries(workflow.jobs).map(([job, about]) => ({ name: `${name} ${job}`, about, all: workflow.jobs })),
)
const steps = jobs.flatMap(({ name, about }) => (about.steps ?? []).map((step) => ({ name, step })))
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** What a job may write, and why it must: everything else only reads. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  'release.yml package': ['id-token'],
  'release.yml image': ['packages', 'id-token', 'attestations'],
  'release.yml archive': ['id-token', 'attestations'],
  'release.yml python': ['id-token', 'attestations'],
  'release.yml java': ['packages', 'id-token', 'attestations'],
  'release.yml release': ['contents'],
}

test('workflows: every action is pinned to a commit, with its version beside it', () => {
  const loose = workflows.flatMap(({ name, text }) =>
    [...text.matchAll(/uses: (.+)/g)]
      .map(([, what = '']) => what)
      .filter((what) => !what.startsWith('./') && !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what))
      .map((what) => `${name}: ${what}`),
  )
  expect(loose).toEqual([])
})

test('workflows: an action has one commit for each version in all workflows', () => {
  const pins = workflows.flatMap(({ text }) => [...text.matchAll(/uses: ([\w/-]+)@(\w+) # (.+)/g)])
  const byVersion = Map.groupBy(pins, ([, action, , version]) => `${action} ${version}`)
  for (const [action, found] of byVersion) expect(new Set(found.map(([, , sha]) => sha)).size, action).toBe(1)
})

test('workflows only read, and a job writes what it publishes', () => {
  for (const { name, workflow } of workflows) expect(workflow.permissions, name).toEqual({ contents: 'read' })
  const written = jobs.map(({ name, about }) => [
    name,
    Object.entries(about.permissions ?? {}).flatMap(([what, how]) => (how === 'write' ? [what] : [])),
  ])
  expect(Object.fromEntries(written.filter(([, what]) => what?.length))).toEqual(WRITES)
})

test('workflows: every job has a limit of time, and needs only jobs that are there', () => {
  for (const { name, about, all } of jobs) {
    if (about.uses === undefined) expect(about['timeout-minutes'], name).toBeTypeOf('number')
    else expect(existsSync(join(ROOT, about.uses)), about.uses).toBe(true)
    for (const needed of [about.needs ?? []].flat()) expect(Object.keys(all), name).toContain(needed)
  }
})

test('workflows: what they run is there', () => {
  const missing = steps.flatMap(({ name, step: { run = '' } }) =>
    [
      ...[...run.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].filter(([, script = '']) => !(script in scripts)),
      ...[...run.matchAll(/(?<![\w-])(?:node|--config|--file) ([\w./-]+\/[\w./-]+)/g)].filter(
        ([, file = '']) => !existsSync(join(ROOT, file)),
      ),
    ].map(([what]) => `${name}: ${what}`),
  )
  expect(missing).toEqual([])
})

test('workflows: no command is put together from what others write', () => {
  const wild = steps.filter(({ step: { run = '' } }) => /\$\{\{\s*(github\.(event|head_ref|ref_name)|inputs)/.test(run))
  expect(wild.map(({ name }) => name)).toEqual([])
})

test('workflows: in a release no step keeps credentials of the checkout', () => {
  const checkouts = steps.filter(
    ({ name, step }) => name.startsWith('release') && step.uses?.startsWith('actions/checkout@'),
  )
  expect(checkouts.length).toBeGreaterThan(4)
  for (const { name, step } of checkouts) expect(step.with, name).toMatchObject({ 'persist-credentials': false })
})

const changelog = '# Changelog\n\n## Unreleased\n\n## 1.2.3 (2027-01-31)\n\n### Added\n- Much.\n\n## 1.2.2\n\n- Less.\n'
const good: Versions = {
  tag: 'v1.2.3',
  packageJson: '{"version": "1.2.3"}',
  pyproject: '[project]\nname = "handset"\nversion = "1.2.3"\n',
  pom: '<project><version>1.2.3</version><dependency><version>5.9.2</version></dependency></project>',
  changelog,
}

test('a release: the tag is the version of the package, of both clients and of the changelog', () => {
  expect(releaseProblems(good)).toEqual([])
  expect(notesOf(changelog, '1.2.3')).toBe('### Added\n- Much.')
})

test.each([
  ['a tag that is no version', { tag: 'v1.2' }],
  ['another version in package.json', { packageJson: '{"version": "1.2.4"}' }],
  ['another version of the Python client', { pyproject: 'version = "1.2.2"\n' }],
  ['another version of the Java client', { pom: '<version>1.2.2</version>' }],
  ['no part in the changelog', { changelog: '## Unreleased\n' }],
  ['an empty part in the changelog', { changelog: '## 1.2.3\n\n## 1.2.2\n- Less.\n' }],
  ['changes that belong to no version', { changelog: `## Unreleased\n- More.\n\n${changelog}` }],
])('a release: %s is one problem', (_, change) => {
  expect(releaseProblems({ ...good, ...change })).toHaveLength(1)
})

test('a release: package and clients have one version now', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(releaseProblems({ ...versionsFor(`v${version}`), changelog: `## ${version}\n- Something.\n` })).toEqual([])
})
