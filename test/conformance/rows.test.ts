import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { conformanceRows } from './rows.ts'

const folder = join(import.meta.dirname, '..')
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))

/** Tags at the start of a title: `[signing.scope] …`, several in a row where a test shows several rules. */
const tagged = new Set(
  texts.flatMap((text) =>
    [...text.matchAll(/['"`]((?:\[[a-z]+\.[a-z-]+\] ?)+)/g)].flatMap(([, tags = '']) =>
      [...tags.matchAll(/\[([a-z.-]+)\]/g)].map(([, tag]) => tag),
    ),
  ),
)

describe('rules and tests', () => {
  test.each(conformanceRows.map(({ tag, row }) => [tag, row]))('%s has a test: %s', (tag) => {
    expect(tagged.has(tag)).toBe(true)
  })

  test('no test claims a rule that is not listed, and no tag stands twice', () => {
    const tags = conformanceRows.map(({ tag }) => tag)
    expect([...tagged].filter((tag) => tag !== undefined && !tags.includes(tag))).toEqual([])
    expect(new Set(tags).size).toBe(tags.length)
  })
})
