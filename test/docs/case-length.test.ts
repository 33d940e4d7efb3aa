import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/imports.ts'

/** What a test of a foreign server costs its author, in each language: lines of the test itself. */
const MOST_LINES = 14
const CASES = ['registration', 'sign in by code', 'sign in by push', 'refusal', 'expiry', 'phishing']

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const plain = (name: string): string => name.replace(/_|(?=[A-Z])/g, ' ').toLowerCase()

/** From each head to the first line that matches the end. */
const lengths = (text: string, head: RegExp, end: RegExp): Readonly<Record<string, number>> => {
  const lines = text.split('\n')
  return Object.fromEntries(
    lines.flatMap((line, from) => {
      const name = head.exec(line)?.[1]
      if (name === undefined) return []
      const after = lines.slice(from + 1).findIndex((each) => end.test(each))
      const body = lines.slice(from, after < 0 ? undefined : from + 1 + after).join('\n')
      return [[plain(name), body.trimEnd().split('\n').length]]
    }),
  )
}

test.each([
  ['pytest', lengths(read('clients/python/tests/test_shop.py'), /^def test_(\w+)/, /^\S/)],
  [
    'JUnit 5',
    lengths(read('clients/java/src/test/java/local/handset/ShopTest.java'), /^ {4}void (\w+)\(Phone/, /^ {4}@|^\}/),
  ],
])('each case in %s is there, and below 15 lines', (_, found) => {
  expect(Object.keys(found)).toEqual(expect.arrayContaining(CASES))
  expect(Object.entries(found).filter(([, lines]) => lines > MOST_LINES)).toEqual([])
})
