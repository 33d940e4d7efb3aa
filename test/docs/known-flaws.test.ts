import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TRIAL_NAMES } from '../../src-main/suite/walk.ts'

test('each published flaw is found by a fault or a check that exists', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/known-flaws.md'), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| (?!---|published)/.test(line))
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    const named = [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    expect(named).not.toEqual([])
    expect(TRIAL_NAMES).toEqual(expect.arrayContaining(named))
  }
})
