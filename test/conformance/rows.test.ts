import { expect, test } from 'vitest'
import { conformanceRows } from './rows.ts'
import { taggedTitles } from './titles.ts'

const tagged = new Set(taggedTitles().flatMap(({ tags }) => tags))

test.each(conformanceRows.map(({ tag, row }) => [tag, row]))('%s has a test: %s', (tag) => {
  expect(tagged.has(tag)).toBe(true)
})

test('no test claims a rule that is not listed, and no tag stands twice', () => {
  const tags = conformanceRows.map(({ tag }) => tag)
  expect([...tagged].filter((tag) => !tags.includes(tag))).toEqual([])
  expect(new Set(tags).size).toBe(tags.length)
})
