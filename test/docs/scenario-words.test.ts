import { expect, test } from 'vitest'
import { stepInputs } from '../../src-main/contract/scenario.ts'
import type { Schema } from '../../src-main/contract/schema.ts'
import { readPage } from './code-blocks.ts'

/** The rows of the page's table of steps: the words it names, and what they need and may have. */
const rows = readPage('docs/using/scenarios.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => [...cell.matchAll(/`([a-z_]+)/g)].map(([, name = '']) => name)))
  .map(([, words = [], required = [], optional = []]) => ({ words, required, optional }))

type Fields = Schema & {
  readonly properties?: object
  readonly required?: readonly string[] | undefined
  readonly anyOf?: readonly Fields[]
}

test.each(Object.entries<Fields>(stepInputs))(
  'the page about scenarios says what the step %s takes',
  (word, { properties, required = [], anyOf }) => {
    const row = rows.find(({ words }) => words.includes(word))
    const fields = Object.keys(Object.assign({}, properties, ...(anyOf ?? []).map((one) => one.properties)))
    expect(row?.required).toEqual(required)
    // Settings have pages of their own.
    if (word === 'profile' || word === 'conditions') return
    expect(row?.optional.toSorted()).toEqual(fields.filter((field) => !required.includes(field)).toSorted())
  },
)

test('the page about scenarios describes no step that there is not', () => {
  expect(rows.flatMap(({ words }) => words).filter((word) => !Object.hasOwn(stepInputs, word))).toEqual([])
})
