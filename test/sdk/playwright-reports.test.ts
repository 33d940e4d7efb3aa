import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { ROOT } from '../support/imports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

/** What Playwright prints of tests that fail, and the folder where it leaves their files. */
const play = async (reporter: string): Promise<{ readonly out: string; readonly folder: string }> => {
  const folder = temporaryFolder()
  const config = join(import.meta.dirname, 'playwright/playwright.config.ts')
  const args = ['test', '--config', config, `--reporter=${reporter}`, '--output', folder]
  const env = { ...process.env, HANDSET_CONTROL_URL: bench.bench.controlUrl, HANDSET_TOKEN: bench.bench.token }
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/@playwright/test/cli.js'), ...args], {
    cwd: ROOT,
    env,
  })
  return { out: stripVTControlCharacters(await text(child.stdout)), folder }
}

const pathsIn = (out: string): readonly string[] =>
  [...out.matchAll(/handset: what happened is in (.*)/g)].flatMap(([, paths = '']) => paths.split(' and '))

test('a failure prints no page, and its last line says where the page lies', { timeout: 120_000 }, async () => {
  const { out, folder } = await play('list')
  expect(out).not.toMatch(/<html|<script/)
  const [one = '', two = '', other = ''] = pathsIn(out)
  expect(pathsIn(out)).toEqual([one, two, two.replace('handset.html', 'handset-2.html')])
  expect(readFileSync(one, 'utf8')).toContain('it expects more of one phone')
  expect(readFileSync(other, 'utf8')).toContain('it expects more of two phones')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  expect(files).toHaveLength(3)
  const beside = readFileSync(one.replace('handset.html', 'agent-report.md'), 'utf8')
  expect(beside).toMatch(/^# .*it expects more of one phone than there is\n\n✗ The test failed/)
})

test('the JSON of a failure names its files and holds none', { timeout: 120_000 }, async () => {
  const { out } = await play('json')
  const [failed] = JSON.parse(out).suites[0].specs
  const { attachments, errors } = failed.tests[0].results[0]
  const ours = attachments.filter(({ name }: { name: string }) => name.includes('handset'))
  expect(ours).toMatchObject([
    { name: 'handset', contentType: 'text/html' },
    { name: 'trace.handset', contentType: 'application/gzip' },
  ])
  for (const { path, body } of ours) expect({ body, there: existsSync(path) }).toEqual({ there: true })
  expect(errors.at(-1).message.trimEnd().split('\n').at(-1)).toBe(`handset: what happened is in ${ours[0].path}`)
})
