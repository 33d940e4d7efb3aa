import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../src-renderer')

const read = (pattern: string): string =>
  globSync(pattern, { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')

/** Of selectors alone: comments and values hold dots too. */
const classesIn = (css: string): ReadonlySet<string> => {
  const selectors = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\{[^{}]*\}/g, '{')
  return new Set([...selectors.matchAll(/\.([a-z][a-z0-9-]*)/g)].map(([, name = '']) => name))
}

it('every class of the style sheets is used by the page', () => {
  const classes = classesIn(read('**/*.css'))
  expect(classes.size).toBeGreaterThan(200)
  const used = new Set(read('**/*.{tsx,ts}').match(/[a-z][a-z0-9-]*/g))
  expect([...classes].filter((name) => !used.has(name))).toEqual([])
})
