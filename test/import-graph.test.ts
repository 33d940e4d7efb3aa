import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBelow, importsOf, ROOT, targetOf, withoutTypes } from './support/imports.ts'

const sources = ['src-main', 'src-renderer'].flatMap((folder) => codeBelow(folder, /\.tsx?$/))

const graphOf = (read: (code: string) => string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    sources.map((path) => {
      const files = importsOf(read(readFileSync(join(ROOT, path), 'utf8'))).filter((file) => file.startsWith('.'))
      return [path, files.map((file) => targetOf(path, file))]
    }),
  )

/** What a file loads when it runs: types are gone by then. */
const loads = graphOf(withoutTypes)
const imports = graphOf((code) => code)

/** All that a file leads to, itself only where it comes back to it. */
const reached = (from: string, graph = loads): ReadonlySet<string> => {
  const seen = new Set<string>()
  const open = [from]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const next of graph.get(path) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(next)
    }
  }
  return seen
}

test('there is no circle of imports, types included', () => {
  expect(loads.get('src-main/bench/assembly/bench.ts')).toContain('src-main/service/service.ts')
  expect(sources.filter((path) => reached(path, imports).has(path))).toEqual([])
})

test('the page loads no compiled validation, which its policy forbids', () => {
  for (const start of ['src-renderer/main.tsx', 'src-renderer/viewer/main.tsx']) {
    const page = reached(start)
    expect(page).toContain('src-main/core/contract/events.ts')
    expect(page).not.toContain('src-main/core/contract/validate.ts')
  }
})
