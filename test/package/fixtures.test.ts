import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ROOT } from '../support/imports.ts'
import { NOTHING, openShopBench, type ShopBench } from './shop-bench.ts'

/** Somebody else's shop, tested in a real browser by the fixtures of the packed tarball: all tests share one workspace. */
const { folder } = inject('installed')
let bench: ShopBench
beforeAll(async () => {
  bench = await openShopBench(folder)
})
afterAll(() => bench.close())

const runVitest = async (file: string) => {
  const report = ['--reporter=json', '--outputFile=vitest.json']
  const vitest = bench.run(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', file, ...report])
  vitest.stdout.resume()
  await once(vitest, 'close')
  return JSON.parse(readFileSync(join(folder, 'vitest.json'), 'utf8'))
}

test('the tests of the docs pass with Playwright and with Vitest', { timeout: 300_000 }, async () => {
  expect((await bench.play('sign-in')).stats).toMatchObject({ expected: 4, unexpected: 0 })
  expect(await runVitest('sign-in')).toMatchObject({ numPassedTests: 1, numFailedTests: 0 })
  expect(await bench.leftovers()).toEqual(NOTHING)
})

test('a test that fails leaves a page that says why, and nothing on the bench', { timeout: 300_000 }, async () => {
  const { stats, suites } = await bench.play('fails')
  expect(stats).toMatchObject({ expected: 0, unexpected: 1 })
  const attachments = suites[0]?.specs[0]?.tests[0]?.results[0]?.attachments ?? []
  const pages = attachments.filter(({ name }) => name === 'handset')
  expect(pages).toMatchObject([{ contentType: 'text/html' }])
  const traces = attachments.filter(({ name }) => name === 'trace.handset').map(({ path }) => readFileSync(path))
  expect(await runVitest('fails')).toMatchObject({ numPassedTests: 0, numFailedTests: 1 })
  const reports = join(folder, 'handset-reports')
  const files = readdirSync(reports)
  expect(files.sort()).toEqual([
    expect.stringMatching(/falls-for-another-origin-[0-9a-f]{8}\.agent-report\.md$/),
    expect.stringMatching(/falls-for-another-origin-[0-9a-f]{8}\.handset$/),
    expect.stringMatching(/falls-for-another-origin-[0-9a-f]{8}\.html$/),
  ])
  traces.push(readFileSync(join(reports, files[1] ?? '')))
  expect(traces.map((bytes) => gunzipSync(bytes).toString().split('\n')[0])).toEqual(
    Array(2).fill(expect.stringContaining('falls for another origin')),
  )
  expect(await bench.leftovers()).toEqual(NOTHING)
})

/** A hundred of them: `npm run test:nightly`. */
test('tests in one workspace do not meet, and leave nothing behind', { timeout: 900_000 }, async () => {
  const { stats } = await bench.play('shop', '--repeat-each', '3', '--shuffle', '1')
  expect(stats).toMatchObject({ expected: 21, unexpected: 0, flaky: 0, skipped: 0 })
  expect(await bench.leftovers()).toEqual(NOTHING)
})
