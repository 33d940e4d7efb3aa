import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALL_CASES } from '../../../src-main/testing/check/run-check.ts'
import { SENTENCES } from '../../../src-main/testing/check/says.ts'

/** One line, and links as their text. */
const flat = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/\s+/g, ' ').trim()
const read = (page: string): string => readFileSync(join(import.meta.dirname, `../../../docs/${page}.md`), 'utf8')

test('each case says a sentence that its page has word by word, below its heading', () => {
  const absent = SENTENCES.filter(({ page, heading, sentence }) => {
    const text = flat(read(page)).replaceAll("'", '’')
    const below = text.slice(Math.max(0, text.indexOf(heading)))
    return !text.includes(heading) || !below.includes(flat(sentence).replaceAll("'", '’'))
  })
  expect(absent.map(({ sentence }) => sentence)).toEqual([])
  const isOf = (pattern: string) => new RegExp(`^${pattern.replaceAll('*', '.+')}$`)
  const unused = SENTENCES.flatMap(({ ids }) => ids).filter((each) => !ALL_CASES.some(({ id }) => isOf(each).test(id)))
  expect(unused).toEqual([])
})
