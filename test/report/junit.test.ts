import { expect, test } from 'vitest'
import { githubCommands, githubSummary } from '../../src-main/report/github.ts'
import { junitReport } from '../../src-main/report/junit.ts'
import { attempt, bad, NASTY, run, scenario } from './made-reports.ts'

test('JUnit survives every character: what XML has none for is written as JSON writes it', () => {
  const xml = junitReport(run(scenario('failed', [bad(NASTY)])))
  for (const sign of ['\0', '\u001b', '\uffff', ']]>', '<b']) expect(xml).not.toContain(sign)
  for (const text of ['\\u0000', '\\ud800', '\\udfff', '🔑', '\\u001b[31m', ']]&gt;']) expect(xml).toContain(text)
  expect(xml.isWellFormed()).toBe(true)
})

test('JUnit tells a failure once, its retries beside it, and what passed at last as flaky alone', () => {
  const count = (xml: string, element: string) => xml.split(`<${element} `).length - 1
  const failed = junitReport(run(scenario('failed', [bad('a'), bad('b')])))
  expect([count(failed, 'failure'), count(failed, 'rerunFailure'), count(failed, 'flakyFailure')]).toEqual([1, 1, 0])
  const flaky = junitReport(run(scenario('flaky', [bad('a'), attempt()])))
  expect([count(flaky, 'failure'), count(flaky, 'rerunFailure'), count(flaky, 'flakyFailure')]).toEqual([0, 0, 1])
  expect(flaky).toContain('failures="0"')
})

test('a megabyte is cut, and the cut is said', () => {
  const xml = junitReport(run(scenario('failed', [bad('x'.repeat(2_000_000))])))
  expect(xml.length).toBeLessThan(200_000)
  expect(xml).toMatch(/… \(\d+ more characters\)/)
})

test('annotations for GitHub are one line each, whatever the texts hold', () => {
  const [command = ''] = githubCommands(run(scenario('failed', [bad('a\n::error::b, 100%')])))
  expect(command).toMatch(/^::error file=tests\/a\.yaml,line=3,title=Signs in::[^\n]*a%0A::error::b, 100%25$/)
  expect(githubCommands(run(scenario('flaky', [bad('a'), attempt()])))[0]).toMatch(/^::warning /)
  expect(githubCommands(run(...Array.from({ length: 30 }, () => scenario('failed', [bad('a')])))).length).toBe(10)
})

test('the summary for GitHub names what failed, and is cut where there is too much', () => {
  const many = Array.from({ length: 1000 }, () => scenario('failed', [bad('<script>'.repeat(5000))]))
  const summary = githubSummary(run(...many))
  expect(summary).toContain('And 950 more.')
  expect(summary).not.toContain('<script>')
  // What GitHub takes of one step.
  expect(summary.length).toBeLessThan(1024 * 1024)
})
