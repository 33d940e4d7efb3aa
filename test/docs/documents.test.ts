import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, test } from 'vitest'
import { routes } from '../../src-main/core/contract/control/routes.ts'
import { profileSettings } from '../../src-main/core/contract/profile.ts'
import { stepInputs } from '../../src-main/core/contract/scenario.ts'
import type { Route, Schema } from '../../src-main/core/contract/schema.ts'
import { findProblem, fitsSchema } from '../../src-main/core/contract/validate.ts'
import { readDocument } from '../../src-main/testing/scenario/read-document.ts'
import { TRIAL_NAMES } from '../../src-main/testing/suite/walk.ts'
import { isLong } from '../support/parts.ts'
import { allBlocks, type Block, pages, readPage } from './code-blocks.ts'
import { documents, editorSchemas } from './documents.ts'
import { fileNameOf, isCommand, LONGEST_MS, runPage } from './run-page.ts'
import { outputDifference } from './same-structure.ts'
import { schemaFile } from './schema-file.ts'

const IN_CLIENTS = 'Run from its text by clients/*/run-tests.'
const IN_RUNNER = 'Run with its runner by test/package/fixtures.test.ts.'
const IN_RECIPES = 'Run step by step by test/package/ci-recipes.test.ts.'
const IN_ADMIN = 'Done so by test/cli/admin.test.ts.'
const NEEDS_DOCKER = 'It needs a Docker daemon.'
const NEEDS_DATABASE = 'It needs a database of the reader; test/postgres has one.'
const SUMS = 'Arithmetic, which this file does again.'

type Row = readonly [page: string, begins: string, reason: string]
const below = (folder: string, rows: readonly Row[]): readonly Row[] =>
  rows.map(([page, ...row]) => [`${folder}/${page}`, ...row])

const PARITY = 'npx handset check --base-url "$BASE" --app-url "$(value app_url < handset.json)" --record'
/** Blocks that take a minute: `npm test -- long` runs them. */
const LONG: readonly Row[] = [['docs/using/check.md', PARITY, 'Fewer cases in test/cli/check.test.ts.']]

/** Blocks that no test runs, by the page and the beginning of their text, and why. A line that fits no block fails. */
const notRun: readonly Row[] = [
  ...(isLong ? [] : LONG),
  ['README.md', 'npm ci && npm start', 'Line 1: test/long/first-command.test.ts; line 2: .ci/run, from their text.'],
  ['README.md', 'await phone.scan', 'It stands in docs/using/test-fixtures.md, and is run there.'],
  ['CONTRIBUTING.md', 'npm ci ', 'It installs the project and runs these tests.'],
  ['docs/architecture.md', 'src-main/', 'A picture of the folders.'],
  ['docs/interface/signing.md', 'Authorization: SVC', 'The two forms of one header.'],
  ...below('clients', [
    ['python/README.md', 'pip install ./clients/python', 'Installed so by clients/python/run-tests.'],
    ['python/README.md', 'import pytest', IN_CLIENTS],
    ['python/README.md', 'import os', IN_CLIENTS],
    ['python/README.md', 'import handset', IN_CLIENTS],
    ['python/README.md', 'u-1', IN_CLIENTS],
    ['java/README.md', 'import static', IN_CLIENTS],
    ['java/README.md', 'var key', 'Shop.java of its tests starts a server so.'],
  ]),
  ...below('docs/using', [
    ['load.md', 'npx handset load', 'It takes minutes; less than a second in test/cli/load/load.test.ts.'],
    ['check.md', 'a-put-without', 'Such files are given by test/cli/check.test.ts.'],
    ['webauthn-servers.md', 'npx handset check', 'A page is learned so by test/long/webauthn-init.test.ts.'],
    ['webauthn-servers.md', 'FAILED', 'A failure is told so in test/testing/check/webauthn.test.ts.'],
    ['webauthn-servers.md', 'url: http', 'A server is called so by test/testing/check/webauthn.test.ts.'],
    [
      'webauthn-servers.md',
      'import { holdWebauthn',
      'It needs a server; test/testing/check/webauthn.test.ts plays the same.',
    ],
    ['webauthn-servers.md', 'jobs:', 'Its commands stand above.'],
    ['postgresql.md', 'npm install pg', NEEDS_DATABASE],
    ['postgresql.md', 'handset serve --role', NEEDS_DATABASE],
    ['teams.md', 'handset token new', IN_ADMIN],
    ['teams.md', 'curl -s -H', 'Workspaces are opened so by test/bench/control/unused-workspaces.test.ts.'],
    ['operations.md', 'scrape_configs', 'It is for Prometheus.'],
    ['operations.md', 'handset backup', IN_ADMIN],
    ['operations.md', '$ handset admin', NEEDS_DATABASE],
    ['sizing.md', 'sign-ins per second', 'A formula.'],
    ['sizing.md', '1,000,000 × 2', SUMS],
    ['sizing.md', 'processor of the service', SUMS],
    ['service-faults.md', 'POST /control', 'One call, as a figure.'],
    ['service-faults.md', 'url: http://127.0.0.1:8080\ncalls', 'RPs of test/foreign-rps have such forms.'],
    ['service-faults.md', 'url: http://127.0.0.1:8080\nstart: ', 'An RP like it is in test/cli/suite.test.ts.'],
    ['service-faults.md', 'url: http://127.0.0.1:8080\nstart:\n', 'Run from its text by test/long/suite-by-page.'],
    ['sdk.md', 'npm i -D ./handset', 'The packed one is installed by test/package/install-package.ts.'],
    ['selenium.md', 'const handset', 'Its commands are sent to chromedriver by test/long/selenium.test.ts.'],
    ['test-fixtures.md', "import { expect, test } from 'handset/playwright'", IN_RUNNER],
    ['test-fixtures.md', "import { expect } from 'vitest'", IN_RUNNER],
    ['image.md', 'for name in', NEEDS_DOCKER],
    ['image.md', 'for each in', NEEDS_DOCKER],
    ['image.md', 'docker run', NEEDS_DOCKER],
    ['image.md', 'docker load', NEEDS_DOCKER],
    ['image.md', 'npm run pack', 'What it makes is run by test/image/check-image.ts.'],
    ['ci.md', 'name: sign-in', IN_RECIPES],
    ['ci.md', 'sign-in:', IN_RECIPES],
    ['ci.md', 'sign-in-beside-image:', 'Its variables are used by test/image/image.test.ts.'],
    ['ci.md', 'pipeline {', IN_RECIPES],
  ]),
]

it.each(documents)('$path is what `npm run docs` would write', ({ path, text }) => {
  expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(text())
})

test('each published flaw is found by a fault or a check that exists', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/known-flaws.md'), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| (?!---|published)/.test(line))
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    const named = [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    expect(named).not.toEqual([])
    expect(TRIAL_NAMES).toEqual(expect.arrayContaining(named))
  }
})

type Json = Readonly<Record<string, unknown>>

test.each(editorSchemas)('the $name schema for editors says in less than 100 kB what the contract says', (file) => {
  const text = file.text()
  expect(text.length).toBeLessThan(100_000)
  const { $defs, ...root } = JSON.parse(text) as { readonly $defs: Readonly<Record<string, Json>> }
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return resolved($defs[String(value.$ref).replace('#/$defs/', '')])
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]))
  }
  expect(resolved(root)).toEqual(JSON.parse(schemaFile(file.title, file.schema)))
})

const editorExamples = {
  scenario: ['docs/using/scenarios.md', 'name:'],
  config: ['docs/using/configuration.md', 'rps:'],
  profile: ['docs/using/command-line.md', ''],
  'rp-suite': ['docs/using/service-faults.md', 'url:'],
  'webauthn-server': ['docs/using/webauthn-servers.md', 'url:'],
} as const satisfies Record<(typeof editorSchemas)[number]['name'], readonly [page: string, begins: string]>

test.each(editorSchemas)('the $name schema accepts the examples of its page, and no other key', ({ name, text }) => {
  const schema = JSON.parse(text())
  const [page, begins] = editorExamples[name]
  const examples = allBlocks
    .filter((block) => block.page === page && block.language === 'yaml' && block.text.startsWith(begins))
    .map((block) => readDocument(block.text))
  expect(examples).not.toEqual([])
  for (const example of examples) {
    const value = example.ok ? (example.value.value as object) : example.error
    expect([value, fitsSchema(value, schema)]).toEqual([value, true])
    expect(fitsSchema({ ...value, stray: 1 }, schema)).toBe(false)
  }
})

/** The rows of the page's table of steps: the words it names, and what they need and may have. */
const rows = readPage('docs/using/scenarios.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => [...cell.matchAll(/`([a-z_]+)/g)].map(([, name = '']) => name)))
  .map(([, words = [], required = [], optional = []]) => ({ words, required, optional }))

type Fields = Schema & {
  readonly properties?: object
  readonly required?: readonly string[] | undefined
  readonly anyOf?: readonly Fields[]
}

test.each(Object.entries<Fields>(stepInputs))(
  'the page about scenarios says what the step %s takes',
  (word, { properties, required = [], anyOf }) => {
    const row = rows.find(({ words }) => words.includes(word))
    const fields = Object.keys(Object.assign({}, properties, ...(anyOf ?? []).map((one) => one.properties)))
    expect(row?.required).toEqual(required)
    // Settings have pages of their own.
    if (word === 'profile' || word === 'conditions') return
    expect(row?.optional.toSorted()).toEqual(fields.filter((field) => !required.includes(field)).toSorted())
  },
)

test('the page about scenarios describes no step that there is not', () => {
  expect(rows.flatMap(({ words }) => words).filter((word) => !Object.hasOwn(stepInputs, word))).toEqual([])
})

/** How long a message is kept after its lifetime. */
const KEPT_S = 600

/** The arithmetic of docs/using/sizing.md, from its own figures. */
const page = readPage('docs/using/sizing.md')
const figure = (pattern: RegExp): number => Number(pattern.exec(page)?.[1]?.replaceAll(',', '') ?? Number.NaN)

test('the sums of the sizing page are right, from the figures in its table to the machines', () => {
  const costMs = figure(/whole sign-in, SQLite on disk \| ([\d.]+) ms/)
  const pollMs = figure(/One poll of the RP for the result \| ([\d.]+) ms/)
  const writtenKib = figure(/Written to the disk.*? \| (\d+) KiB/)
  const messageKib = figure(/the message with its verdict \| (\d+) KiB/)
  const credentialKib = figure(/a credential with its indexes \| ([\d.]+) KiB/)
  const inboxKib = figure(/virtual phone at its other end \| (\d+) KiB/)
  const average = (1_000_000 * 2 * 0.15) / 3600
  expect(figure(/÷ 3600 +=\s+([\d,]+) a second in the busiest/)).toBe(Math.round(average))
  const burst = figure(/83 × 4 +=\s+(\d+) a second in a burst/)
  expect(burst).toBe(Math.round(average * 4))
  const cores = (burst * (costMs + 5 * pollMs)) / 1000
  expect(figure(/5 × [\d.]+ ms\) +=\s+([\d.]+) cores/)).toBeCloseTo(cores, 1)
  expect(figure(/60 % use.*?=\s+([\d.]+) cores/)).toBeCloseTo(cores / 0.6, 1)
  expect(figure(/× 31 KiB +=\s+(\d+) MiB a second/)).toBe(Math.round((burst * writtenKib) / 1024))
  const lifetime = profileSettings.message_ttl_s.rule.default + KEPT_S
  expect(figure(/= 333 × (\d+) s × 3 KiB/)).toBe(lifetime)
  expect(figure(/Rows that stay for (\d+) minutes/)).toBe(lifetime / 60)
  const rows = burst * lifetime
  expect(figure(/× 3 KiB +=\s+([\d,]+) rows/)).toBe(Math.round(rows / 1e4) * 1e4)
  expect(figure(/rows, ([\d.]+) GiB/)).toBeCloseTo((rows * messageKib) / 1024 ** 2, 1)
  for (const part of ['the services', 'the database']) {
    const ms = figure(new RegExp(`([\\d.]+) ms of ${part}`))
    expect(figure(new RegExp(`333 × ${ms} ms = ([\\d.]+) cores for ${part}`))).toBeCloseTo((burst * ms) / 1000, 1)
  }
  // With one of five away the others are used to about this share.
  expect((burst * figure(/([\d.]+) ms of the services/)) / 1000 / 4).toBeCloseTo(0.6, 1)
  expect(figure(/2 phones × 0\.5 KiB +=\s+(\d+) GiB/)).toBe(Math.round((2_000_000 * credentialKib) / 1024 ** 2))
  expect(figure(/40,000 × 104 KiB, (\d+) GiB/)).toBe(Math.round((40_000 * inboxKib) / 1024 ** 2))
})

const root = join(import.meta.dirname, '../..')

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !/^test\/docs\/|\/node_modules\//.test(path))

/** GitHub's anchors: lower case, no punctuation, hyphens for spaces. */
const anchorsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every page that the code names is in the project', () => {
  const missing = ['src-main', 'src-renderer', 'test'].flatMap(filesIn).flatMap((path) => {
    const named = readFileSync(join(root, path), 'utf8').matchAll(/[\w./-]*\w\.md\b/g)
    // Reports are written by Handset, and by whoever has a bug.
    return [...named]
      .filter(([name]) => !/report\.md$/.test(name) && !existsSync(join(root, name)))
      .map(([name]) => `${path}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('every link of a page leads to a file of the project, and to a heading that it has', () => {
  const broken = pages.flatMap((page) => {
    const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    return links
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#')
        const path = file === '' ? page : join(dirname(page), file)
        if (!existsSync(join(root, path))) return true
        return anchor !== undefined && !anchorsOf(readPage(path)).includes(anchor)
      })
      .map((target) => `${page}: ${target}`)
  })
  expect(broken).toEqual([])
})

test('every file that decides a rule is where its row says', () => {
  const rows = readPage('docs/deciding-files.md').split('\n').slice(1)
  const missing = rows.flatMap((row) => {
    let folder = ''
    return [...row.matchAll(/`([\w./*-]+(?:\/|\.(?:tsx?|mjs|yml|yaml)))`/g)].flatMap(([, name = '']) => {
      const path = name.includes('/') ? name : `${folder}${name}`
      folder = path.slice(0, path.lastIndexOf('/') + 1)
      return globSync([path, `src-main/${path}`], { cwd: root }).length > 0 ? [] : path
    })
  })
  expect(missing).toEqual([])
})

const nameOf = ({ page, line }: Block): string => `${page}:${line}`
const reasonsFor = (block: Block): typeof notRun =>
  notRun.filter(([page, begins]) => page === block.page && block.text.startsWith(begins))

const withoutIndentation = (text: string): string => text.replaceAll(/^ +/gm, '')

const isOutput = ({ role }: Block): boolean => role === 'output'
/** Between the marks of a part that `npm run docs` makes. */
const isMade = ({ role }: Block): boolean => role === 'made'
const bodyOf = ({ language, role }: Block): object | undefined => {
  const route = Object.entries<Route>(routes).find(([id]) => id === role)?.[1]
  return language === 'json' ? route?.body : undefined
}

const blocks = allBlocks.filter((block) => reasonsFor(block).length === 0)
const byPage = [...Map.groupBy(blocks, ({ page }) => page)]
/** What a newcomer follows word by word: `npm test` runs these pages, `npm test -- long` the others. */
const FIRST_PAGES: readonly string[] = ['README.md', 'docs/first-five-minutes.md', 'docs/using/control.md']
const start = blocks.filter(({ role }) => role === 'start')

test('every block of README and docs is run, checked, or listed with the reason why not', () => {
  const kinds = [isCommand, isOutput, isMade, bodyOf, fileNameOf]
  expect(blocks.filter((block) => !kinds.some((kind) => kind(block))).map(nameOf)).toEqual([])
})

test('every reason for not running a block belongs to one block', () => {
  const idle = notRun.filter((row) => allBlocks.filter((block) => reasonsFor(block).includes(row)).length !== 1)
  expect(idle).toEqual([])
})

test('what README shows of a test stands in the page of which it is run', () => {
  const shown = allBlocks.filter(({ page, language }) => page === 'README.md' && language === 'ts')
  expect(shown).toHaveLength(1)
  const run = withoutIndentation(readPage('docs/using/test-fixtures.md'))
  for (const { text } of shown) expect(run).toContain(withoutIndentation(text))
})

test('a command of its page names every file of a page', () => {
  const unused = byPage.flatMap(([, own]) => {
    const commands = own.filter(({ language }) => language === 'sh').map(({ text }) => text)
    return own.filter((block) => {
      const name = fileNameOf(block)
      return name !== undefined && !isCommand(block) && !commands.some((text) => text.includes(name))
    })
  })
  expect(unused.map(nameOf)).toEqual([])
})

/** The commands of the pages need a POSIX shell and curl. */
const canRun = process.platform !== 'win32' && spawnSync('curl', ['--version']).status === 0

test
  .skipIf(!canRun)
  .concurrent.each(byPage.filter(([page, own]) => own.some(isCommand) && FIRST_PAGES.includes(page) !== isLong))(
  'the commands of %s do what the page says',
  { timeout: LONGEST_MS + 10_000 },
  async (page, own) => {
    const started = page !== 'README.md' && readPage(page).includes('README.md#in-a-ci') ? start : []
    const { printed, exitCode, stderr } = await runPage([...started, ...own])
    const [last, output = ''] = [...printed].at(-1) ?? []
    expect(exitCode, `${last === undefined ? page : nameOf(last)}\n${output}${stderr}`).toBe(0)
    const differences = own.filter(isOutput).map((block) => {
      const command = own.slice(0, own.indexOf(block)).findLast(isCommand)
      const difference = outputDifference(block, (command && printed.get(command)) ?? '')
      return difference === undefined ? [] : [`${nameOf(block)} ${difference}`]
    })
    expect(differences.flat()).toEqual([])
  },
)

test.each(blocks.filter((block) => bodyOf(block) !== undefined))('$page:$line is a body of $role', (block) => {
  expect(findProblem(JSON.parse(block.text), bodyOf(block) ?? {})).toBe(undefined)
})
