import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { reportFileName } from '../../src-main/sdk/vitest.ts'
import { ROOT } from '../support/imports.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { folderOfFile, temporaryFolder } from '../support/temporary-folder.ts'

const bench = benchOfFile()
let played: Awaited<ReturnType<typeof play>>
beforeAll(async () => {
  played = await play()
}, 120_000)

const folder = folderOfFile()
const results = join(folder, 'results')

/** What Playwright prints of tests that fail, and its report as JSON. */
const play = async (): Promise<{ readonly out: string; readonly json: string }> => {
  const report = join(folder, 'report.json')
  const config = join(import.meta.dirname, 'playwright/playwright.config.ts')
  const args = ['test', '--config', config, '--reporter=list,json', '--output', results]
  const door = { HANDSET_CONTROL_URL: bench.bench.controlUrl, HANDSET_TOKEN: bench.bench.token }
  const env = { ...process.env, ...door, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/@playwright/test/cli.js'), ...args], {
    cwd: ROOT,
    env,
  })
  const out = stripVTControlCharacters(await text(child.stdout))
  return { out, json: readFileSync(report, 'utf8') }
}

const pathsIn = (out: string): readonly string[] =>
  [...out.matchAll(/handset: what happened is in (.*)/g)].flatMap(([, paths = '']) => paths.split(' and '))

test('a failure prints no page, but what went wrong and where the page lies', () => {
  const { out } = played
  expect(out).not.toMatch(/<html|<script/)
  const [one = '', two = '', other = '', push = ''] = pathsIn(out)
  expect(pathsIn(out)).toEqual([one, two, two.replace('handset.html', 'handset-2.html'), push])
  expect(out).toMatch(
    /WaitError: [^\n]*\n+ +handset: what went wrong\n[^\n]* by QR code [^\n]*\n[^\n]*what happened is in /,
  )
  expect(readFileSync(one, 'utf8')).toContain('it expects more of one phone')
  expect(readFileSync(other, 'utf8')).toContain('it expects more of two phones')
  const beside = readFileSync(one.replace('handset.html', 'agent-report.md'), 'utf8')
  expect(beside).toMatch(/^# .*it expects more of one phone than there is\n\n✗ The test failed/)
})

test('the JSON of a failure names its files and holds none', () => {
  const [failed] = JSON.parse(played.json).suites[0].specs
  const { attachments, errors } = failed.tests[0].results[0]
  const ours = attachments.filter(({ name }: { name: string }) => name.includes('handset'))
  expect(ours).toMatchObject([
    { name: 'handset', contentType: 'text/html' },
    { name: 'trace.handset', contentType: 'application/gzip' },
  ])
  for (const { path, body } of ours) expect({ body, there: existsSync(path) }).toEqual({ there: true })
  expect(pathsIn(errors.at(-1).message)).toEqual([ours[0].path])
})

/** The files in a zip archive, by name. */
const unzipped = (zip: Buffer): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [named, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const local = zip.readUInt32LE(at + 42)
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(from, from + zip.readUInt32LE(at + 20))
    const content = zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)
    files.set(zip.toString('utf8', at + 46, at + 46 + named), content.toString('utf8'))
    at += 46 + named + extra + comment
  }
  return files
}

type TraceLine = {
  readonly callId?: string
  readonly title?: string
  readonly attachments?: readonly { readonly name: string; readonly file: string }[]
}

test('Playwright’s trace has each action of a phone as a step with its screen, and the report', () => {
  const files = unzipped(readFileSync(join(results, 'traced-a-user-registers-by-a-code/trace.zip')))
  const lines: TraceLine[] = (files.get('test.trace') ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const attached = lines.flatMap(({ callId, attachments = [] }) =>
    attachments.map(({ name, file }) => {
      const { title = '' } = lines.find((line) => line.callId === callId && line.title !== undefined) ?? {}
      return { title, name, content: files.get(file) ?? '' }
    }),
  )
  const screens = attached.filter(({ name }) => name === 'screen')
  expect(screens.map(({ title, content }) => [title, JSON.parse(content).kind])).toEqual([
    ['phone.scan', 'request'],
    ['phone.approve', 'success'],
    ['phone.scan (Other)', 'problem'],
  ])
  const pages = attached.filter(({ name }) => name === 'handset')
  expect(pages.map(({ content }) => /<title>[^<]*a user registers by a code/.test(content))).toEqual([true, true])
  expect(attached.find(({ name }) => name === 'agent-report.md')?.content).toContain('/rp/attestation/options')
})

const FAILS = `
import { describe } from 'vitest'
import { createRp } from ${JSON.stringify(join(ROOT, 'src-main/sdk/rp.ts'))}
import { test } from ${JSON.stringify(join(ROOT, 'src-main/sdk/vitest.ts'))}
const fail = async ({ workspace, task }) => {
  throw new Error('This is ' + task.id + ' in ' + workspace.id)
}
test('amount < 10', fail)
test('amount > 10', fail)
test('the same title', fail)
test('the same title', fail)
describe('${'a long way to what differs '.repeat(6)}', () => {
  test('one', fail)
  test('two', fail)
})
test('a server has another secret', async ({ workspace, task }) => {
  const key = { ...(await workspace.rp()), secretKey: 'another secret' }
  await createRp(key).credentials('u-1').catch(() => fail({ workspace, task }))
})
`

test('each Vitest test that fails leaves files of its own, whatever their titles have in common', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'fails.test.mjs'), FAILS)
  // A bench that starts on a busy machine takes longer than Vitest's own five seconds.
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--testTimeout', '60000']
  const vitest = spawn(process.execPath, [...args, '--hookTimeout', '60000'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [out, closed] = await Promise.all([text(vitest.stderr), once(vitest, 'close')])
  expect(closed).toEqual([1, null])
  const pages = readdirSync(join(folder, 'handset-reports')).filter((name) => name.endsWith('.html'))
  const tests = pages.map((name) => /This is (\S+)/.exec(readFileSync(join(folder, 'handset-reports', name), 'utf8')))
  expect(new Set(tests.map((found) => found?.[1])).size).toBe(7)
  expect(stripVTControlCharacters(out)).toMatch(
    /Error: This is \S+ in main\n\nhandset: what went wrong\n.* 40104\b.*\n +Every line agrees; .*\nhandset: what happened is in \S+another-secret/,
  )
})

test('the name of a report’s file fits a file system, in whatever language the title is', () => {
  const name = reportFileName({ title: '用户登录'.repeat(100), id: '-1_0' })
  expect(Buffer.byteLength(name)).toBeLessThan(140)
  expect(name.isWellFormed()).toBe(true)
  expect(reportFileName({ title: '\ud83d tests', id: '-1_0' }).isWellFormed()).toBe(true)
})
