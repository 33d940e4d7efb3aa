import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documents } from './documents.ts'

describe('the pages made from the code', () => {
  it.each(documents)('$path is what `npm run docs` would write', ({ path, text }) => {
    expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(text())
  })
})
