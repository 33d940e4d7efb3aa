import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { en } from '../../src-main/core/messages/en/en.ts'
import { signingVectors } from '../recipes/signing-vectors.ts'
import { startTestBench } from '../support/bench.ts'
import { vectorAuthentication, vectorRegistration, vectors } from '../support/ceremony/vectors.ts'
import { runCommand } from '../support/run-command.ts'
import { folderOfFile, temporaryFolder } from '../support/temporary-folder.ts'

const folder = folderOfFile()

const sign = (args: readonly string[]) => runCommand(['sign', ...args])

const KEY = ['--access-key', 'shop:secret-of-the-shop']
const URL_OF_LIST = 'http://localhost:7420/fido/rp/credentials?user_id=u-1'

test('[cli.sign] it signs as every vector does', async () => {
  for (const vector of signingVectors()) {
    const { out, errors } = await sign([
      vector.method,
      vector.url,
      ...['--access-key', `${vector.access_key_id}:${vector.secret_key}`],
      ...['--date', vector.x_svc_date],
      ...(vector.scope_identifier === '' ? [] : ['--scope', vector.scope_identifier]),
      ...(vector.body === '' ? [] : ['--body', vector.body]),
      ...vector.headers.flatMap((header) => ['--header', header.join(':')]),
      '--json',
    ])
    expect(errors, vector.name).toEqual([])
    const { canonical_request, string_to_sign, signature } = vector
    expect(JSON.parse(out), vector.name).toMatchObject({ canonical_request, string_to_sign, signature })
  }
})

test('[cli.sign] what it prints for curl is a call that the service answers', async () => {
  const bench = await startTestBench({
    seedData: {
      rps: [{ name: 'Shop', rp_id: 'localhost', keys: [{ id: 'shop', secret: 'secret-of-the-shop' }] }],
      phones: [],
    },
  })
  try {
    const { out } = await sign([
      ...['POST', `${bench.bench.baseUrl}/rp/attestation/options`, ...KEY, '--curl'],
      ...['--body', '{"user_id":"it\'s $u","username":"Zoë"}', '--header', 'X-Empty:', '--header', "X-Note: it's"],
    ])
    const { stdout } = await promisify(execFile)('sh', ['-c', out])
    expect(JSON.parse(stdout)).toMatchObject({ code: 0 })
  } finally {
    await bench.close()
  }
})

test('[cli.sign] it prints the request, and with --explain the texts that were signed', async () => {
  const plain = await sign(['get', URL_OF_LIST, ...KEY, '--date', '20300101T120000Z'])
  expect(plain.out.split('\n').slice(0, 3)).toEqual([
    'GET /fido/rp/credentials?user_id=u-1 HTTP/1.1',
    'Host: localhost:7420',
    'X-Svc-Date: 20300101T120000Z',
  ])
  const explained = await sign(['get', URL_OF_LIST, ...KEY, '--date', '20300101T120000Z', '--explain'])
  expect(explained.out).toContain('\nSVC-HMAC-SHA256\n20300101T120000Z\nfido-server/\n')
  expect(explained.out.endsWith(plain.out)).toBe(true)
})

test('[cli.sign] a body comes from a file octet by octet', async () => {
  const file = join(folder, 'body')
  writeFileSync(file, Buffer.from([0xff, 0x00, 0x0a]))
  const { out } = await sign(['POST', URL_OF_LIST, ...KEY, '--body-file', file, '--json'])
  // printf '\377\000\n' | sha256sum
  expect(JSON.parse(out).canonical_request).toContain(
    'c933d2fe5a3675b959c287c271739ac2db888cc8c0d68c1c5b58ac5b80f5d735',
  )
  expect((await sign(['POST', URL_OF_LIST, ...KEY, '--body-file', file, '--curl'])).out).toContain(
    `--data-binary @${file}`,
  )
})

test.each([
  ['no method', []],
  ['no URL', ['GET']],
  ['a word too many', ['GET', URL_OF_LIST, 'more', ...KEY]],
  ['no key', ['GET', URL_OF_LIST]],
  ['a key without a secret', ['GET', URL_OF_LIST, '--access-key', 'shop']],
  ['a path without a host', ['GET', '/rp/credentials', ...KEY]],
  ['a fragment', ['GET', `${URL_OF_LIST}#top`, ...KEY]],
  ['a query that is not encoded', ['GET', `${URL_OF_LIST}ä`, ...KEY]],
  ['a percent sign that encodes nothing', ['GET', `${URL_OF_LIST}%zz`, ...KEY]],
  ['a date that does not exist', ['GET', URL_OF_LIST, ...KEY, '--date', '20300231T120000Z']],
  ['a header without a colon', ['GET', URL_OF_LIST, ...KEY, '--header', 'X-Note']],
  ['a header that it writes itself', ['GET', URL_OF_LIST, ...KEY, '--header', 'host: a']],
  ['a file that is not there', ['POST', URL_OF_LIST, ...KEY, '--body-file', join(folder, 'none')]],
  ['two bodies', ['POST', URL_OF_LIST, ...KEY, '--body', 'a', '--body-file', 'b']],
])('[cli.sign] %s is one line and exit code 2, without the secret', async (_, args) => {
  const { code, out, errors } = await sign(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(errors).toHaveLength(1)
  expect(errors[0]).not.toMatch(/\n|secret-of/)
})

const [vector] = vectors.filter(({ name }) => name.includes('packed-self'))
if (vector === undefined) throw new Error('there is no vector')
const { options, response, origins } = vectorRegistration(vector)

const fileWith = (text: string): string => {
  const file = join(temporaryFolder(), 'input')
  writeFileSync(file, text)
  return file
}
const input = (text: string) => ({ input: Readable.from([Buffer.from(text)]) })
const inspect = (text: string, ...args: readonly string[]) => runCommand(['inspect', ...args], undefined, input(text))
const origin = origins[0] ?? ''

test('a response is judged beside its options: 0 verified, 1 refused with the step, 2 with what is missing', async () => {
  const [file, asked] = [fileWith(JSON.stringify(response)), fileWith(JSON.stringify({ publicKey: options }))]
  const right = await runCommand(['inspect', file, '--options', asked, '--origin', origin])
  expect(right.code).toBe(0)
  expect(right.out).toMatch(/^WebAuthn registration response {2}text\nverified\n {2}\d+ of \d+ checks passed\n/)
  expect(right.out).toContain('SHA-256 of "example.org"')

  const wrong = await runCommand(['inspect', file, '--options', asked, '--origin', 'https://evil.example'])
  expect(wrong.code).toBe(1)
  expect(wrong.out).toContain('✗ 7.1.9 The origin is allowed for the relying party')
  expect(wrong.out).toContain('"https://evil.example"')

  const bare = await runCommand(['inspect', file])
  expect(bare.code).toBe(2)
  expect(bare.out).toContain('For a verdict it needs:\n  --options FILE, the options that it answers\n  --origin URL')
})

test('an authentication is judged with the key that was stored', async () => {
  const signedIn = vectorAuthentication(vector)
  const stored = await signedIn.credential((signedIn.response as { readonly id: string }).id)
  const key = Buffer.from(stored?.publicKey ?? []).toString('base64url')
  const args = ['--options', fileWith(JSON.stringify(signedIn.options)), '--origin', origin, '--public-key', key]
  expect((await inspect(JSON.stringify(signedIn.response), ...args)).code).toBe(0)
  const counted = await inspect(JSON.stringify(signedIn.response), ...args, '--sign-count', '9')
  expect(counted.code).toBe(1)
  expect(counted.out).toContain('7.2.22')
})

test('standard input is read without a file, and as -, and --json says everything', async () => {
  const said = await inspect('40104\n')
  expect(said.code).toBe(0)
  expect(said.out).toContain('The signature does not match')
  const json = await inspect('a16161f5', '-', '--json')
  expect(JSON.parse(json.out)).toMatchObject({
    kind: 'cbor',
    written: ['text', 'hex'],
    parts: [{ nodes: [{ name: 'a', value: 'true' }] }],
  })
})

test('what is not recognised says so first, and then what could be read', async () => {
  for (const nonsense of ['Good morning.', '\u0001\u0002\u0003\u00ff']) {
    const { code, out } = await inspect(nonsense)
    expect(code).toBe(2)
    expect(out.split('  ')[0]).toBe(en.unread.title)
    expect(out).toContain('an attestation object')
    expect((await inspect('40104')).out).not.toContain(en.unread.title)
  }
})

test('a secret that is given is not printed', async () => {
  const request =
    'GET /fido/rp/x HTTP/1.1\nHost: a\nX-Svc-Date: 20300101T000000Z\nAuthorization: SVC-HMAC-SHA256 one/fido-server/,host;x-svc-date,'
  const args = ['--access-key', 'one:hush-hush-hush-hush-hush', '--json']
  const { code, out, errors } = await inspect(`${request}${'0a'.repeat(32)}\n\n`, ...args)
  expect(code).toBe(1)
  expect(out + errors.join('')).not.toContain('hush')
})

const NO_ROOT = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----'

test.each<readonly [string, () => readonly string[], string]>([
  ['nothing', () => [], ''],
  ['a file that there is not', () => ['nowhere.json'], ''],
  ['options that are none', () => ['--options', fileWith('{"a":1}')], '{}'],
  ['a key that is none', () => ['--public-key', 'nonsense'], '{}'],
  ['an origin that is none', () => ['--origin', 'shop'], '{}'],
  ['roots that are none', () => ['--roots', fileWith(NO_ROOT)], '{}'],
  ['two files', () => ['a', 'b'], '{}'],
])('of %s it says so, with exit code 2', async (_, args, text) => {
  const { code, out, errors } = await inspect(text, ...args())
  expect(code).toBe(2)
  expect(out + errors.join('')).not.toBe('')
  expect(errors.join('\n')).not.toContain('    at ')
})

test('what is too large is not read to its end', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1024 * 1024, 'x')
    })(),
  )
  const { code, errors } = await runCommand(['inspect'], undefined, { input: endless })
  expect(code).toBe(2)
  expect(errors.join('')).toContain('more than 4 MiB')
})

const TRACE = join(import.meta.dirname, '../vectors/traces/version-1.handset')
const LINES = gunzipSync(readFileSync(TRACE)).toString().trimEnd().split('\n')
const EVENTS = LINES.flatMap((line) => (line.startsWith('{"event"') ? [JSON.parse(line).event] : []))

const written = (lines: readonly string[]): string => {
  const file = join(temporaryFolder(), 'a.handset')
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`))
  return file
}

/** A Handset whose viewer is built. */
const BUILT = folderOfFile()
mkdirSync(join(BUILT, 'out/renderer/viewer'), { recursive: true })
for (const file of ['viewer.js', 'viewer.css']) writeFileSync(join(BUILT, 'out/renderer/viewer', file), '')

const show = (file: string, ...args: readonly string[]) =>
  runCommand(['show', file, ...args], undefined, { root: BUILT })

test('every event of a trace is shown on a line of its own, or printed as JSON', async () => {
  const text = await show(TRACE)
  expect(text.code).toBe(0)
  const numbers = text.out.split('\n').flatMap((line) => /^ +(\d+) +\+\d+\.\d{3} s /.exec(line)?.[1] ?? [])
  expect(numbers).toEqual(EVENTS.map(({ seq }) => String(seq)))
  const json = await show(TRACE, '--json')
  expect(json.out.split('\n').map((line) => JSON.parse(line))).toEqual(EVENTS)
})

test('a trace without a title is shown under the name of its workspace, and one of an older Handset under its own', async () => {
  const [header = '', ...rest] = LINES
  const about = JSON.parse(header)
  for (const [title, shown] of [
    ['', en.defaultTitles.workspace(about)],
    ['Workspace main', 'Workspace main'],
  ]) {
    const { out } = await runCommand(['show', written([JSON.stringify({ ...about, title }), ...rest])])
    expect(out.split('\n')[1]).toContain(`${shown}  workspace ${about.workspace}`)
  }
})

test('of a damaged trace what can be read is shown, and it ends with code 2; no file is made of it', async () => {
  const damaged = written([...LINES.slice(0, 5), '{"event"', ...LINES.slice(5)])
  const shown = await show(damaged, '--json')
  expect(shown.code).toBe(2)
  expect(shown.out.split('\n').map((line) => JSON.parse(line))).toEqual(EVENTS.slice(0, 4))
  expect(shown.errors).toHaveLength(1)
  const folder = temporaryFolder()
  const made = await show(damaged, '--html', join(folder, 'a.html'), '--har', join(folder, 'a.har'))
  expect([made.code, readdirSync(folder)]).toEqual([2, []])
})

test('a file that cannot be written is told in one line, and nothing half-written stays', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'taken'))
  for (const file of ['taken', 'none/a.html']) {
    const { code, errors } = await show(TRACE, '--html', join(folder, file))
    expect([code, errors.length]).toEqual([1, 1])
  }
  expect(readdirSync(folder)).toEqual(['taken'])
})

test('a page is not made where the viewer is not built, and the command says what builds it', async () => {
  const folder = temporaryFolder()
  const { code, errors } = await runCommand(['show', TRACE, '--html', join(folder, 'a.html')])
  expect([code, errors]).toEqual([1, [expect.stringContaining('npm run build')]])
  expect(readdirSync(folder)).toEqual([])
})

test('page and archive hold what the trace holds', async () => {
  const folder = temporaryFolder()
  const [html, har] = [join(folder, 'a.html'), join(folder, 'a.har')]
  expect(await show(TRACE, '--html', html, '--har', har)).toMatchObject({ code: 0, out: '' })
  const [, title] = /<title>(.*)<\/title>/.exec(readFileSync(html, 'utf8')) ?? []
  expect(title).toContain('Wrong challenge')
  const exchanges = EVENTS.filter(({ kind }) => kind === 'exchange')
  expect(JSON.parse(readFileSync(har, 'utf8')).log.entries).toHaveLength(exchanges.length)
})

test('a trace whose oldest events are left out says so in each form', async () => {
  const [header = '', ...rest] = LINES
  const file = written([JSON.stringify({ ...JSON.parse(header), began_earlier: true }), ...rest])
  const { traceNotes } = en
  const text = await show(file)
  expect(text.code).toBe(0)
  expect(text.out).toContain(traceNotes.began_earlier)
  const folder = temporaryFolder()
  const [html, har] = [join(folder, 'a.html'), join(folder, 'a.har')]
  await show(file, '--html', html, '--har', har)
  expect(JSON.parse(readFileSync(har, 'utf8')).log.comment).toContain(traceNotes.began_earlier)
  expect((await show(TRACE)).out).not.toContain(traceNotes.began_earlier)
})

test('only the last events are shown where so many are asked for, at the times of the whole', async () => {
  const whole = await show(TRACE)
  const last = await show(TRACE, '--last', '3')
  const rows = (text: string) => text.split('\n').filter((line) => /^ +\d+ +\+/.test(line))
  expect([last.code, rows(last.out)]).toEqual([0, rows(whole.out).slice(-3)])
  expect((await show(TRACE, '--last', '9999')).out).toBe(whole.out)
  const json = await show(TRACE, '--last', '2', '--json')
  expect(json.out.split('\n').map((line) => JSON.parse(line))).toEqual(EVENTS.slice(-2))
})

test('below a request that was refused for its signature stands the mistake, and in JSON behind the events', async () => {
  const [first, second] = EVENTS.filter(({ kind }) => kind === 'exchange')
  const refused = (seq: number) => ({ ...first, seq, response: { ...first.response, status: 401, code: 40104 } })
  const signature = (seq: number, id: string, more: object = {}) => ({
    seq,
    explanation: { outcome: 'explained', mistakes: [{ id, sentence: 'As the bench said it.', ...more }], tried: 1 },
  })
  const events = [refused(first.seq), { ...second, seq: first.seq + 1 }, refused(first.seq + 2)]
  const explained = [
    signature(first.seq, 'host-without-port'),
    signature(first.seq + 2, 'key-of-another', { note: 'AKID2' }),
  ]
  const file = written([
    LINES[0] ?? '',
    ...[...events.map((event) => ({ event })), ...explained.map((each) => ({ signature: each }))].map((line) =>
      JSON.stringify(line),
    ),
  ])
  const { signingMistakes } = en
  const reasons = [signingMistakes['host-without-port'], `${signingMistakes['key-of-another']} (AKID2)`]
  const shown = (await show(file)).out.split('\n').filter((line) => /^ +(\d+ +\+|[A-Z])/.test(line))
  expect(shown.map((line) => /^ +(\d+) /.exec(line)?.[1] ?? line.trim())).toEqual([
    ...[String(first.seq), reasons[0], String(first.seq + 1), String(first.seq + 2), reasons[1]],
  ])
  const parsed = async (...options: readonly string[]) =>
    (await show(file, '--json', ...options)).out.split('\n').map((line) => JSON.parse(line))
  expect(await parsed()).toEqual([...events, ...explained.map((each) => ({ signature: each }))])
  expect(await parsed('--last', '1')).toEqual([events[2], { signature: explained[1] }])
  const last = (await show(file, '--last', '1')).out
  expect([last.includes(reasons[1] ?? ''), last.includes(reasons[0] ?? '')]).toEqual([true, false])
})

test('of a damaged trace no refused request is left out, explained or not', async () => {
  const exchange = EVENTS.find(({ kind }) => kind === 'exchange')
  const event = { ...exchange, response: { ...exchange.response, status: 401, code: 40104 } }
  const damaged = written([LINES[0] ?? '', JSON.stringify({ event }), LINES[1] ?? '', '{"event"'])
  const { code, out } = await show(damaged)
  expect(code).toBe(2)
  expect(out.split('\n').flatMap((line) => /^ +(\d+) +\+/.exec(line)?.[1] ?? [])).toEqual([String(event.seq), '1'])
})

test('a damaged trace of which the last events are asked for is refused', async () => {
  const cut = join(temporaryFolder(), 'cut.handset')
  writeFileSync(cut, readFileSync(TRACE).subarray(0, -40))
  expect(await show(cut, '--last', '3')).toMatchObject({ code: 2, out: '' })
})
