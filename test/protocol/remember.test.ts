import { expect, test } from 'vitest'
import { rememberByText } from '../../src-main/protocol/remember.ts'

test('a text is worked out once, and what is kept does not grow with what is asked', () => {
  const asked: string[] = []
  const length = rememberByText((text) => {
    asked.push(text)
    return text.length
  })
  expect([length('a'), length('bb'), length('a'), length('bb')]).toEqual([1, 2, 1, 2])
  expect(asked).toEqual(['a', 'bb'])
  for (let n = 0; n < 1_000; n++) expect(length(`text ${n}`)).toBe(`text ${n}`.length)
  length('a')
  expect(asked.filter((text) => text === 'a')).toHaveLength(2)
})
