import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemRefusalText } from '../../src-main/cli/problem-texts.ts'
import { freePort } from '../support/free-port.ts'
import { complaints } from '../support/heard-terminal.ts'
import { runCommand } from '../support/run-command.ts'
import { serveBriefly } from '../support/serve-briefly.ts'
import { folderOfFile } from '../support/temporary-folder.ts'
import { sampleSuite } from '../testing/suite/sample-suite.ts'

const folder = folderOfFile()

/** No folder can be made below it, on any system. */
const PLAIN = join(folder, 'plain')
writeFileSync(PLAIN, '')

const suite = async (args: readonly string[], more: { readonly stop?: AbortSignal; readonly root?: string } = {}) => {
  const { errors, ...told } = await runCommand(['suite', 'rp', ...args], undefined, more)
  return { ...told, errors: complaints(errors) }
}

const SAMPLES = join(import.meta.dirname, '../support/sample-rp')

/** A configuration that starts one of the sample RPs as a program of its own. */
const configOf = async (
  sample: string,
  more: Readonly<Record<string, unknown>> = {},
  own: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const port = await freePort()
  const env = { RP_BASE_URL: '{base_url}', RP_ACCESS_KEY_ID: '{access_key_id}', RP_SECRET_KEY: '{secret_key}' }
  const start = {
    program: process.execPath,
    args: [join(SAMPLES, sample)],
    env: { ...env, PORT: String(port), ...own },
  }
  const file = join(folder, `${port}.json`)
  writeFileSync(file, JSON.stringify({ ...sampleSuite(`http://127.0.0.1:${port}`), start, ...more }))
  return file
}

const SOME = ['--fault', 'user-of-another', '--fault', 'html-page', '--story', 'sign-in-approved']

test('the suite passes a careful RP', { timeout: 300_000 }, async () => {
  const { code, out } = await suite(['--config', await configOf('careful.mjs'), ...SOME, '--json'])
  const { findings, restored } = JSON.parse(out)
  expect({ code, restored, findings }).toEqual({
    code: 0,
    restored: 0,
    findings: ['user-of-another', 'html-page'].map((fault) => ({
      ...{ fault, story: 'sign-in-approved', verdict: 'held', took_ms: expect.any(Number), rule: expect.any(Number) },
      proof: { struck: expect.any(Object), shown: expect.any(Object) },
      behaviour: expect.any(Object),
    })),
  })
})

/** A program whose page is built; what the viewer shows is another test. */
const builtRoot = (): string => {
  const root = join(folder, 'built')
  mkdirSync(join(root, 'out/renderer/viewer'), { recursive: true })
  writeFileSync(join(root, 'out/renderer/viewer/viewer.js'), 'show()')
  writeFileSync(join(root, 'out/renderer/viewer/viewer.css'), 'main{}')
  return root
}

/** What the report as HTML shows. */
const shownIn = (html: string) => {
  const [, packed = ''] = /<script type="text\/plain" id="suite">([^<]+)</.exec(html) ?? []
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString())
}

test('the suite catches a careless RP; each report names the story, and the command in it plays that one again on the same bench', async () => {
  const results = join(folder, 'results')
  const config = await configOf('careless.mjs')
  const bench = ['--port', String(await freePort()), '--access-key', 'shop:a-secret-that-is-long-enough']
  const args = [
    '--config',
    config,
    '--fault',
    'fail-with-space',
    '--report',
    'html,junit,json',
    '--out',
    results,
    ...bench,
  ]
  const first = await suite(args, { root: builtRoot() })
  expect({ code: first.code, errors: first.errors }).toEqual({ code: 1, errors: [] })
  expect(first.out).toMatch(/LET SOMEBODY IN +fail-with-space/)
  expect(first.out).toMatch(/1 fault in 2 stories: 1 broke, 1 LET SOMEBODY IN in [\d.]+ s\nTried 2 of 2\.$/m)
  const written = JSON.parse(readFileSync(join(results, 'suite.json'), 'utf8'))
  expect(written.findings).toMatchObject([
    { fault: 'fail-with-space', story: 'sign-in-rejected', verdict: 'let_in', why: expect.any(String) },
    { story: 'registration-rejected', again: expect.stringMatching(/^npx handset suite rp .* registration-rejected$/) },
  ])
  const html = readFileSync(join(results, 'suite.html'), 'utf8')
  expect(shownIn(html)).toEqual(written)
  expect(html).not.toMatch(/\b(?:src|href)=/)
  const junit = readFileSync(join(results, 'suite.xml'), 'utf8')
  expect(junit).toContain('name="fail-with-space, registration-rejected"')
  const [, ...again] = /Again: npx handset suite (rp .* registration-rejected)/.exec(junit)?.[1]?.split(' ') ?? []
  expect(again.slice(2, 6)).toEqual([...bench.slice(0, 3), '"$HANDSET_ACCESS_KEY"'])
  expect([first.out, html, junit].join()).not.toContain('a-secret')
  const { code, out } = await suite([...again.with(5, bench[3] ?? ''), '--json'])
  expect({ code, ...JSON.parse(out) }).toMatchObject({
    code: 1,
    findings: [{ fault: 'fail-with-space', story: 'registration-rejected', verdict: 'broke' }],
  })
})

test('an RP that does not work without any fault is no finding', async () => {
  const calls = { ...sampleSuite('').calls, who: { path: '/api/nobody', read: 'user_id' } }
  const { code, out } = await suite(['--config', await configOf('careful.mjs', { calls, patience_s: 0.1 }), ...SOME])
  expect(code).toBe(3)
  expect(out).toMatch(/2 faults: 2 vacuous in [\d.]+ s\nTried 0 of 2\. Not tried: 2 × Without the fault: /)
})

test.each([
  ['calls another service', { RP_BASE_URL: 'http://127.0.0.1:9/fido' }, 'No call of the RP reached the service.'],
  [
    'has another secret',
    { RP_SECRET_KEY: 'another-secret-that-is-long' },
    'The service refused the signature of each call.',
  ],
])('of an RP that %s it says what the RP must use', async (_what, env, sentence) => {
  const key = 'shop:a-secret-that-is-long-enough'
  const { code, errors } = await suite([
    '--config',
    await configOf('careful.mjs', {}, env),
    '--access-key',
    key,
    ...SOME,
  ])
  expect(code).toBe(3)
  expect(errors.join()).toContain(sentence)
  expect(errors.join()).toMatch(/must call http:\/\/localhost:\d+\/fido with the access key shop /)
  expect(errors.join()).not.toContain('a-secret')
})

test('where two users look the same no RP is accused, and the reason says what to do', async () => {
  const calls = { ...sampleSuite('').calls, who: { path: '/api/me', read: { text: 'user_id' } } }
  const { code, out } = await suite(['--config', await configOf('careful.mjs', { calls }), ...SOME])
  expect(code).toBe(3)
  expect(out).toContain('2 faults: 2 vacuous')
  expect(out).toContain('Two users who signed in are both shown as "user_id".')
})

test('a suite that could try less than was asked for is exit code 3, and says so', async () => {
  const args = ['--config', await configOf('careful.mjs'), '--fault', 'user-missing', '--at-least', '2']
  const { code, out, errors } = await suite(args)
  expect({ code, errors }).toEqual({
    code: 3,
    errors: [expect.stringMatching(/only 1 stories? .*--at-least asks for 2/)],
  })
  expect(out).toMatch(/Tried 1 of 2\. Not tried: 1 × The RP does not offer this\./)
})

test('Ctrl-C before the RP is ready is exit code 130', async () => {
  const told = await suite(['--config', await configOf('careful.mjs')], { stop: AbortSignal.abort() })
  expect(told).toEqual({ code: 130, out: '', errors: [expect.stringMatching(/^handset suite: /)] })
})

test('another program at the address of the RP is not taken for it', async () => {
  const url = await serveBriefly((_, response) => void response.end())
  const told = await suite(['--config', await configOf('none.mjs', { url })])
  expect(told).toEqual({ code: 3, out: '', errors: [expect.stringContaining(url)] })
  expect(told.errors.join()).not.toContain('ended')
})

/** A configuration, and more options beside it. */
const given = (sample: string, more: Readonly<Record<string, unknown>> = {}) => ['--config', configOf(sample, more)]
const withOptions = (...options: readonly string[]) => [...given(''), ...options]
const BRACES = { program: 'rp', args: ['{base_ur}'] }
const BEGUN = ['--fault', 'html-page', '--story', 'registration-begun']
const NO_PASSWORD = /: --init must have no user and no password in it\.$/
const UNBUILT = join(folder, 'unbuilt')
const refusal = { code: 'file_refused', params: { file: join(PLAIN, 'none'), errno: 'ENOTDIR', message: '' } } as const

test.each<readonly [string, () => readonly (string | Promise<string>)[], number, RegExp | string]>([
  ['no configuration', () => [], 2, /--config FILE/],
  ['a file that is not there', () => ['--config', 'none.yaml'], 2, /no file none.yaml/],
  ['a field that is not known', () => given('', { colour: 1 }), 2, /--config: \S+\.json: /],
  ['a name in braces that nothing fills in', () => given('', { start: BRACES }), 2, /start.*\{base_url\}.*\{base_ur\}/],
  ['more stories than there are', () => withOptions('--at-least', '1000'), 2, /--at-least/],
  ['an unknown fault', () => withOptions('--fault', 'user-of-anothr'), 2, /Did you mean user-of-another\?/],
  ['an unknown story', () => withOptions('--story', 'sign-in-aproved'), 2, /Did you mean sign-in-approved\?/],
  ['a story without the fault', () => withOptions(...BEGUN), 2, /tried in sign-in-approved, push-approved\./],
  ...['http:me:hush@a', ' https://me:hush@a', 'git+ssh://me:hush@a'].map(
    (page) => [`a page ${page}`, () => ['--init', page], 2, NO_PASSWORD] as const,
  ),
  ['a page without https', () => ['--init', 'a.example'], 2, /--init must be an address .* got "a\.example"\.$/],
  ['an unknown report', () => withOptions('--report', 'pdf'), 2, /one of html, junit, json; got "pdf"/],
  ['HTML by a page not built', () => withOptions('--report', 'html', '--out', UNBUILT), 3, /npm run build/],
  [
    'a folder for none',
    () => withOptions('--report', 'junit', '--out', join(PLAIN, 'none')),
    3,
    systemRefusalText(refusal),
  ],
  ['an RP that ends at once', () => given('none.mjs'), 3, /the RP ended with exit code 1/],
  ['an RP that was not started', () => given('', { start: undefined }), 3, /no RP answers at http:\/\/127/],
])('%s is one clear line', async (_what, args, code, sentence) => {
  const told = await suite(await Promise.all(args()))
  const line = typeof sentence === 'string' ? expect.stringContaining(sentence) : expect.stringMatching(sentence)
  expect(told).toMatchObject({ code, out: '', errors: [line] })
})
