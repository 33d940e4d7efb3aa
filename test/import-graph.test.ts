import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'
import { codeBelow, importsOf, ROOT } from './support/imports.ts'

const sources = ['src-main', 'src-renderer'].flatMap((folder) => codeBelow(folder, /\.tsx?$/))

/** What a file loads when it runs: types are gone by then. */
const loads = new Map(
  sources.map((path) => {
    const code = readFileSync(join(ROOT, path), 'utf8').replace(/^(import|export) type [^'"]*from '[^']*'/gm, '')
    const files = importsOf(code).filter((specifier) => specifier.startsWith('.'))
    return [
      path,
      files.map((file) =>
        relative(ROOT, join(ROOT, dirname(path), file))
          .split(sep)
          .join('/'),
      ),
    ]
  }),
)

/** All that a file loads, itself only where it comes back to it. */
const reached = (from: string): ReadonlySet<string> => {
  const seen = new Set<string>()
  const open = [from]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const next of loads.get(path) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(next)
    }
  }
  return seen
}

test('no file loads itself by way of others', () => {
  expect(loads.get('src-main/bench.ts')).toContain('src-main/service/service.ts')
  expect(sources.filter((path) => reached(path).has(path))).toEqual([])
})

test('the page loads no compiled validation, which its policy forbids', () => {
  const page = reached('src-renderer/main.tsx')
  expect(page).toContain('src-main/contract/control/routes.ts')
  expect(page).not.toContain('src-main/contract/validate.ts')
})
