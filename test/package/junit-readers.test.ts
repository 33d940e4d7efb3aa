import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { junitReport } from '../../src-main/views/report/run-reports.ts'
import { folderOfFile } from '../support/temporary-folder.ts'
import { attempt, bad, NASTY, run, scenario } from '../views/report/made-reports.ts'

const folder = folderOfFile()
const file = join(folder, 'junit.xml')
const named = (name: string, ...rest: Parameters<typeof scenario>) => ({ ...scenario(...rest), name })
writeFileSync(
  file,
  junitReport(
    run(
      named('passes', 'passed', [attempt()]),
      named('fails', 'failed', [bad('a'), bad('b')]),
      named('nasty', 'failed', [bad(NASTY)]),
      named('huge', 'failed', [bad('x'.repeat(2_000_000))]),
      named('flaky', 'flaky', [bad('a'), attempt()]),
      { ...named('left out', 'skipped', []), reason: 'not yet' },
    ),
  ),
)

type Read = readonly [name: string, outcome: 'passed' | 'failed' | 'skipped', message: string]

/** What each reader must make of it; of the message, the part that tells. */
const expected = [
  ['passes', 'passed', ''],
  ['fails', 'failed', 'received a'],
  ['nasty', 'failed', '\\u0000, lone \\ud800, \\udfff, ]]>, 🔑, <b a="1">, \\u001b[31m, \\uffff'],
  ['huge', 'failed', 'more characters'],
  // It passed at last.
  ['flaky', 'passed', ''],
  ['left out', 'skipped', 'not yet'],
] as const

const expectRead = (found: readonly Read[]): void => {
  expect(found.map(([name, outcome]) => [name, outcome])).toEqual(expected.map(([name, outcome]) => [name, outcome]))
  for (const [i, [, , part]] of expected.entries()) expect(found[i]?.[2]).toContain(part)
}

const JARS = ['surefire-report-parser', 'surefire-api', 'surefire-logger-api', 'maven-shared-utils', 'commons-lang3']
  .map((name) => `/usr/share/java/${name}.jar`)
  .filter(existsSync)

test.skipIf(JARS.length < 5)('Maven’s Surefire reads the report (Debian: libsurefire-java)', () => {
  const args = ['-cp', JARS.join(':'), join(import.meta.dirname, 'junit/Surefire.java'), file]
  const lines = execFileSync('java', args, { encoding: 'utf8' }).trim().split('\n')
  expectRead(
    lines.map((line) => {
      const [outcome = '', name = '', message = ''] = line.split('\t')
      return [name, outcome as Read[1], message]
    }),
  )
})

// Debian's own Python has it, which need not be the first one.
const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (python) => spawnSync(python, ['-c', 'import junitparser']).status === 0,
)

test.skipIf(PYTHON === undefined)('junitparser reads the report (Debian: python3-junitparser)', () => {
  const out = execFileSync(PYTHON ?? '', [join(import.meta.dirname, 'junit/read.py'), file], { encoding: 'utf8' })
  const outcomes = { Failure: 'failed', Skipped: 'skipped' } as const
  expectRead(
    out
      .trim()
      .split('\n')
      .map((line) => {
        const { name, results } = JSON.parse(line)
        const [[type, message] = ['', '']] = results
        return [name, outcomes[type as 'Failure'] ?? 'passed', message]
      }),
  )
})

const PACKAGES = join(import.meta.dirname, '../../.ci/package')
const hasJunit2json = existsSync(join(PACKAGES, 'node_modules/junit2json'))

test.skipIf(!hasJunit2json)('junit2json reads the report, its flaky failures among the rest (npm)', async () => {
  const path = createRequire(join(PACKAGES, 'package.json')).resolve('junit2json')
  const { parse } = await import(pathToFileURL(path).href)
  const { testsuite } = await parse(readFileSync(file, 'utf8'))
  type Case = { name: string; failure?: { message: string }[]; skipped?: { message: string }[] }
  expectRead(
    (testsuite[0].testcase as readonly Case[]).map(({ name, failure, skipped }): Read => {
      const [first] = failure ?? skipped ?? []
      return [name, failure ? 'failed' : skipped ? 'skipped' : 'passed', first?.message ?? '']
    }),
  )
})
