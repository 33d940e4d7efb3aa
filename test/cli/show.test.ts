import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { en } from '../../src-main/messages/en/en.ts'
import { runCommand } from '../support/run-command.ts'
import { folderOfFile, temporaryFolder } from '../support/temporary-folder.ts'

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

test('every event of a trace is shown on a line of its own, or printed as JSON', async () => {
  const text = await runCommand(['show', TRACE])
  expect(text.code).toBe(0)
  const numbers = text.out.split('\n').flatMap((line) => /^ +(\d+) +\+\d+\.\d{3} s /.exec(line)?.[1] ?? [])
  expect(numbers).toEqual(EVENTS.map(({ seq }) => String(seq)))
  const json = await runCommand(['show', TRACE, '--json'])
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
  const shown = await runCommand(['show', damaged, '--json'])
  expect(shown.code).toBe(2)
  expect(shown.out.split('\n').map((line) => JSON.parse(line))).toEqual(EVENTS.slice(0, 4))
  expect(shown.errors).toHaveLength(1)
  const folder = temporaryFolder()
  const made = await runCommand(
    ['show', damaged, '--html', join(folder, 'a.html'), '--har', join(folder, 'a.har')],
    undefined,
    { root: BUILT },
  )
  expect([made.code, readdirSync(folder)]).toEqual([2, []])
})

test('a file that cannot be written is told in one line, and nothing half-written stays', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'taken'))
  for (const file of ['taken', 'none/a.html']) {
    const { code, errors } = await runCommand(['show', TRACE, '--html', join(folder, file)], undefined, { root: BUILT })
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
  expect(await runCommand(['show', TRACE, '--html', html, '--har', har], undefined, { root: BUILT })).toMatchObject({
    code: 0,
    out: '',
  })
  const [, title] = /<title>(.*)<\/title>/.exec(readFileSync(html, 'utf8')) ?? []
  expect(title).toContain('Wrong challenge')
  const exchanges = EVENTS.filter(({ kind }) => kind === 'exchange')
  expect(JSON.parse(readFileSync(har, 'utf8')).log.entries).toHaveLength(exchanges.length)
})

test('a trace whose oldest events are left out says so in each form', async () => {
  const [header = '', ...rest] = LINES
  const file = written([JSON.stringify({ ...JSON.parse(header), began_earlier: true }), ...rest])
  const { traceNotes } = en
  const text = await runCommand(['show', file])
  expect(text.code).toBe(0)
  expect(text.out).toContain(traceNotes.began_earlier)
  const folder = temporaryFolder()
  const [html, har] = [join(folder, 'a.html'), join(folder, 'a.har')]
  await runCommand(['show', file, '--html', html, '--har', har], undefined, { root: BUILT })
  expect(JSON.parse(readFileSync(har, 'utf8')).log.comment).toContain(traceNotes.began_earlier)
  expect((await runCommand(['show', TRACE])).out).not.toContain(traceNotes.began_earlier)
})

test('only the last events are shown where so many are asked for, at the times of the whole', async () => {
  const whole = await runCommand(['show', TRACE])
  const last = await runCommand(['show', TRACE, '--last', '3'])
  const rows = (text: string) => text.split('\n').filter((line) => /^ +\d+ +\+/.test(line))
  expect([last.code, rows(last.out)]).toEqual([0, rows(whole.out).slice(-3)])
  expect((await runCommand(['show', TRACE, '--last', '9999'])).out).toBe(whole.out)
  const json = await runCommand(['show', TRACE, '--last', '2', '--json'])
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
  const shown = (await runCommand(['show', file])).out.split('\n').filter((line) => /^ +(\d+ +\+|[A-Z])/.test(line))
  expect(shown.map((line) => /^ +(\d+) /.exec(line)?.[1] ?? line.trim())).toEqual([
    ...[String(first.seq), reasons[0], String(first.seq + 1), String(first.seq + 2), reasons[1]],
  ])
  const parsed = async (...options: readonly string[]) =>
    (await runCommand(['show', file, '--json', ...options])).out.split('\n').map((line) => JSON.parse(line))
  expect(await parsed()).toEqual([...events, ...explained.map((each) => ({ signature: each }))])
  expect(await parsed('--last', '1')).toEqual([events[2], { signature: explained[1] }])
  const last = (await runCommand(['show', file, '--last', '1'])).out
  expect([last.includes(reasons[1] ?? ''), last.includes(reasons[0] ?? '')]).toEqual([true, false])
})

test('of a damaged trace no refused request is left out, explained or not', async () => {
  const exchange = EVENTS.find(({ kind }) => kind === 'exchange')
  const event = { ...exchange, response: { ...exchange.response, status: 401, code: 40104 } }
  const damaged = written([LINES[0] ?? '', JSON.stringify({ event }), LINES[1] ?? '', '{"event"'])
  const { code, out } = await runCommand(['show', damaged])
  expect(code).toBe(2)
  expect(out.split('\n').flatMap((line) => /^ +(\d+) +\+/.exec(line)?.[1] ?? [])).toEqual([String(event.seq), '1'])
})

test('a number of events that cannot be is refused, and so is a damaged trace of which the last are asked for', async () => {
  for (const last of ['0', 'x', '-1']) expect((await runCommand(['show', TRACE, '--last', last])).code).toBe(2)
  const cut = join(temporaryFolder(), 'cut.handset')
  writeFileSync(cut, readFileSync(TRACE).subarray(0, -40))
  expect(await runCommand(['show', cut, '--last', '3'])).toMatchObject({ code: 2, out: '' })
})
