import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { parseScenarios } from '../../../src-main/testing/scenario/parse-scenario.ts'
import { loadScenarios } from '../../../src-main/testing/scenario/runner/read-scenarios.ts'
import { taken } from '../../support/taken.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const HEAD = 'name: x\n'
it('cases give one scenario for each row, each with its name and values', () => {
  const text = `name: A \${what}\nvars: { common: 1 }\ncases: [{ what: push }, { what: code }]\nsteps:\n  - check: { value: '\${what} \${common}', is: x }`
  const scenarios = taken(parseScenarios(text))
  expect(scenarios.map(({ name, row }) => [name, row])).toEqual([
    ['A push', 1],
    ['A code', 2],
  ])
  expect(scenarios.map(({ vars }) => vars)).toEqual([
    { common: 1, what: 'push' },
    { common: 1, what: 'code' },
  ])
})

const files = (all: Readonly<Record<string, string>>): string => {
  const at = temporaryFolder()
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(at, name)), { recursive: true })
    writeFileSync(join(at, name), text)
  }
  return at
}

const including = (file: string) => `${HEAD}steps:\n  - include: ${file}\n`

it('the steps of an included file stand in its place, with its lines and its variables', () => {
  const at = files({
    'a.yaml': `${HEAD}steps:\n  - include: { file: in/b.steps.yaml, vars: { v: 2 } }\n  - advance: { s: 3 }\n`,
    'in/b.steps.yaml': `# before\n- check: { value: '\${v}', is: 2 }\n`,
  })
  const [scenario] = taken(loadScenarios(join(at, 'a.yaml')))
  expect(scenario?.steps).toMatchObject([
    { word: 'check', line: 2, file: 'in/b.steps.yaml', scopes: [{ v: 2 }] },
    { word: 'advance', line: 4, scopes: [] },
  ])
})

it.each([
  [
    'itself by way of another',
    { 'a.yaml': including('b.yaml'), 'b.yaml': '- include: c.yaml', 'c.yaml': '- include: b.yaml' },
    { code: 'include_circle', params: { files: ['b.yaml', 'c.yaml', 'b.yaml'] } },
  ],
  [
    'more than eight levels',
    {
      'a.yaml': including('1.yaml'),
      ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i + 1}.yaml`, `- include: ${i + 2}.yaml`])),
    },
    { code: 'includes_at_most', params: { most: 8 } },
  ],
  [
    'a file outside the folder',
    { 'a.yaml': including('../b.yaml') },
    { code: 'outside_folder', params: { path: '../b.yaml' } },
  ],
  ['an absolute path', { 'a.yaml': including('/etc/hostname') }, { code: 'outside_folder' }],
  ['a file that is not there', { 'a.yaml': including('b.yaml') }, { code: 'no_file', params: { path: 'b.yaml' } }],
  ['a folder', { 'a.yaml': including('b'), 'b/c.yaml': '' }, { code: 'is_folder' }],
  [
    'a whole scenario',
    { 'a.yaml': including('b.yaml'), 'b.yaml': `${HEAD}steps: []` },
    { code: 'not_steps', at: [{}, {}, { file: 'b.yaml' }, { line: 1, column: 1 }] },
  ],
  [
    'a wrong step',
    { 'a.yaml': including('b.yaml'), 'b.yaml': '- advance: { s: 1 }\n- advanc: { s: 1 }' },
    { code: 'unfit', at: [{}, { line: 3, column: 5 }, { file: 'b.yaml' }, { line: 2, column: 3 }] },
  ],
  [
    'too much',
    { 'a.yaml': including('b.yaml'), 'b.yaml': `# ${'x'.repeat(5_000_000)}\n- advance: { s: 1 }` },
    { code: 'file_too_large', params: { most: 4194304 } },
  ],
])('a file that includes %s is refused', (_title, all, problem) => {
  const at = files(all)
  expect(loadScenarios(join(at, 'a.yaml'))).toMatchObject({ ok: false, error: problem })
})

it.skipIf(process.platform === 'win32')('a link does not lead an include out of the folder', () => {
  const outside = files({ 'b.yaml': '- advance: { s: 1 }' })
  const at = files({ 'a.yaml': including('b.yaml') })
  symlinkSync(join(outside, 'b.yaml'), join(at, 'b.yaml'))
  expect(loadScenarios(join(at, 'a.yaml'))).toMatchObject({ ok: false, error: { code: 'outside_folder' } })
})
