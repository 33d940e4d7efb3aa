import { expect, test } from 'vitest'
import { loadReportSchema } from '../../src-main/contract/load-report.ts'
import { findProblem } from '../../src-main/contract/validate.ts'
import { loadPage } from '../../src-main/report/load-page.ts'
import { clientSentence } from '../../src-main/report/load-sentences.ts'
import { sampleLoadReport as sample } from './sample-load-report.ts'

test('the sample is a report', () => {
  expect(findProblem(sample, loadReportSchema)).toBe(undefined)
})

test('the page escapes what a service said, and loads nothing', () => {
  const page = loadPage(sample)
  expect(page).toContain('http://localhost:7420/&lt;b&gt;')
  expect(page).not.toContain('<b>')
  expect(page).not.toMatch(/<script|<link|src=|url\(|@import/)
  expect(page).toContain("default-src 'none'")
})

test('a load in which nothing was done has a page all the same', () => {
  const { all: _, register: __, auth: ___, ...late } = sample.latency
  const timeline = sample.timeline.map(({ at_ms }) => ({ at_ms, arrived: 0, done: 0, failed: 0, dropped: 0 }))
  const page = loadPage({ ...sample, latency: late, steps: [], curve: [], timeline, server: undefined as never })
  expect(page).toContain('</html>')
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
})

test('a chart has no point off its axes', () => {
  const page = loadPage(sample)
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
  const heights = [...page.matchAll(/[ML]([\d.]+) ([\d.-]+)/g)].map(([, , y]) => Number(y))
  expect(heights.length).toBeGreaterThan(100)
  for (const y of heights) expect(y >= 0 && y <= 260).toBe(true)
})

test.each(['none', 'busy', 'late', 'machine'] as const)('the limit %s has a sentence of its own', (limit) => {
  const sentences = (['none', 'busy', 'late', 'machine'] as const).map((each) =>
    clientSentence({ ...sample, client: { ...sample.client, limit: each } }),
  )
  expect(new Set(sentences).size).toBe(4)
  expect(clientSentence({ ...sample, client: { ...sample.client, limit } })).toMatch(/\.$/)
})
