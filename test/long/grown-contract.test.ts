import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from '../support/imports.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

/**
 * A profile setting, an error and a control route are each added to a copy of the project: one row each, the
 * rule of the route, and the words of the error and the setting in each language. Everything else must follow.
 */
const ROWS: readonly (readonly [file: string, before: string, row: string])[] = [
  [
    'src-main/core/contract/profile.ts',
    '  canonical_uri: tried(',
    "  patience: tried('Users', { kind: 'number', min: 1, max: 9, default: 2 }, { name: 'Patience', sentence: 'How long it waits.' }),\n",
  ],
  [
    'src-main/core/contract/errors.ts',
    '  precondition_required: ',
    "  teapot: row(41801, 'Errors', 'It brews no coffee.'),\n",
  ],
  ['src-main/core/messages/zh/errors.ts', '  precondition_required: ', "  teapot: '它不煮咖啡。',\n"],
  [
    'src-main/core/messages/zh/service-words.ts',
    '  canonical_uri: {',
    "  patience: { name: '耐心', sentence: '等待多久。' },\n",
  ],
  [
    'src-main/core/contract/control/people-routes.ts',
    "  'devices.list': get(",
    `  'notes.add': {
    method: 'POST',
    path: '/notes',
    scope: 'workspace',
    summary: 'Adds a note.',
    body: object({ text: text('What it says.', { maxLength: 80 }) }),
    data: answer({ length: count() }),
  },
`,
  ],
  [
    'src-main/bench/control/handlers/admin-handlers.ts',
    "import { err } from '../../../core/protocol/result.ts'",
    "import { refuse } from '../../../core/contract/errors.ts'\nimport { ok } from '../../../core/protocol/result.ts'\n",
  ],
  [
    'src-main/bench/control/handlers/admin-handlers.ts',
    "    'devices.list': (",
    "    'notes.add': async ({ body }) => (body.text === 'tea' ? err(refuse('teapot')) : ok({ length: body.text.length })),\n",
  ],
]

const copy = folderOfFile()

const run = promisify(execFile)

beforeAll(() => {
  const folders = 'src-main src-renderer docs clients test/docs test/conformance test/recipes test/support'
  for (const path of folders.split(' '))
    cpSync(join(ROOT, path), join(copy, path), { recursive: true, filter: (name) => !name.endsWith('.png') })
  for (const path of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, path), join(copy, path))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
  cpSync(join(import.meta.dirname, 'grown-contract'), copy, { recursive: true })
  const routes = join(copy, 'src-main/core/contract/control/people-routes.ts')
  writeFileSync(routes, readFileSync(routes, 'utf8').replace('answer, flag,', 'answer, count, flag,'))
  for (const [file, before, row] of ROWS) {
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    expect(text.split(before).length, `${file}: ${before}`).toBe(2)
    const grown = text.replace(before, () => row + before)
    writeFileSync(path, grown)
  }
})

test('validation, the OpenAPI document, the docs and the clients follow what was added', async () => {
  const { stdout } = await run(process.execPath, ['ask.ts'], { cwd: copy, maxBuffer: 2 ** 26 })
  const said = JSON.parse(stdout)
  expect(said.good).toEqual({ code: 0, data: { length: 5 }, error: '' })
  expect(said.wrong).toMatchObject({ code: 40002, data: { parameter: 'text' } })
  expect(said.missing).toMatchObject({ code: 40003, data: { parameter: 'text' } })
  expect(said.refused).toMatchObject({ code: 41801 })
  expect(said.setting).toMatchObject({ code: 0, data: { profile: { patience: 3 }, changed: ['patience'] } })
  expect(said.wrongSetting).toMatchObject({ code: 40002, data: { parameter: 'patience' } })
  expect(said.wrongSettingOfNew).toMatchObject({ code: 40002, data: { parameter: 'profile.patience' } })
  expect(said.conditions).toMatchObject({ code: 0, data: { app: { fail_code: 41801 } } })

  const bodyOf = (path: string, method: string) =>
    said.openApi.paths[path][method].requestBody.content['application/json'].schema.properties
  expect(bodyOf('/notes', 'post').text).toMatchObject({ type: 'string', maxLength: 80 })
  expect(bodyOf('/profile', 'patch').patience).toMatchObject({ type: 'integer', minimum: 1, maximum: 9 })

  expect(said.errors).toContain('- 41801 It brews no coffee.')
  expect(said.profile).toContain('- `patience` How long it waits. `2`, 1 to 9')
  expect(said.routes).toContain('- `POST /notes` `notes.add` Adds a note. (`text`)')
  expect(said.python).toContain('def notes_add(self, *, text: str) -> NotesAddData:')
  expect(said.java).toContain('public Json notesAdd(String text)')
})

test('types follow: of the client, of a handler that is missing, of the profile and of refusals', async () => {
  const base = JSON.parse(readFileSync(join(copy, 'tsconfig.json'), 'utf8'))
  // What the project's own build remembers is in node_modules, which the copy shares.
  const { incremental: _, tsBuildInfoFile: __, ...compilerOptions } = base.compilerOptions
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }))
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit'], { cwd: copy })
})

test('the page shows the setting with its control', async () => {
  const { SettingRow } = await import(join(copy, 'src-renderer/console/setting-row.tsx'))
  const { PROFILE_KEYS, profileSettings } = await import(join(copy, 'src-main/core/contract/profile.ts'))
  expect(PROFILE_KEYS).toContain('patience')
  const props = { settingKey: 'patience', setting: profileSettings.patience, value: 3, changed: true }
  const html = renderToStaticMarkup(createElement(SettingRow, { ...props, onChange: () => {}, onReset: () => {} }))
  expect(html).toContain('How long it waits.')
  expect(html).toContain('value="3"')
})
