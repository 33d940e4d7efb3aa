import { expect, test } from 'vitest'
import { scenarioWords } from '../../src-main/harness/scenario-words.ts'
import { readPage } from './code-blocks.ts'

/** The rows of the page's table of steps: the words it names, and what they need and may have. */
const rows = readPage('docs/using/scenarios.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => [...cell.matchAll(/`([a-z_]+)/g)].map(([, name = '']) => name)))
  .map(([, words = [], required = [], optional = []]) => ({ words, required, optional }))

test.each(Object.entries(scenarioWords))(
  'the page about scenarios says what the step %s takes',
  (word, { required, optional }) => {
    const row = rows.find(({ words }) => words.includes(word))
    // Settings and fields of events have pages of their own.
    const open = (optional as readonly string[]).includes('*') || word === 'conditions'
    expect(row?.required).toEqual(required)
    if (!open) expect(row?.optional.toSorted()).toEqual(optional.toSorted())
  },
)

test('the page about scenarios describes no step that there is not', () => {
  expect(rows.flatMap(({ words }) => words).filter((word) => !Object.hasOwn(scenarioWords, word))).toEqual([])
})
