import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const filesOf = (...patterns: readonly string[]): ReadonlyMap<string, string> =>
  new Map(patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).map((file) => [file, read(file)] as const)))
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const wordsBy = (pattern: RegExp, texts: Iterable<string>): ReadonlySet<string> =>
  new Set([...texts].flatMap((text) => [...text.matchAll(pattern)].map(([, word = '']) => word)))

const sheets = filesOf('src-renderer/**/*.css')
const code = filesOf('src-renderer/**/*.{ts,tsx}')
const modules = [...sheets].filter(([file]) => file.endsWith('.module.css'))
const globals = [...sheets].filter(([file]) => !file.endsWith('.module.css'))

/** Of selectors alone: comments and values hold dots too. */
const selectorsOf = (css: string): string => css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\{[^{}]*\}/g, '{')
const CLASS = /\.([a-z][a-z0-9-]*)/g
const inGlobal = /:global\(\.([a-z-]+)\)/g
const camelCase = (name: string): string => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** By module: the names that components take from it. */
const taken = new Map<string, Set<string>>()
for (const [file, text] of code) {
  for (const [, name = '', from = ''] of text.matchAll(/^import (\w+) from '(.*\.module\.css)'$/gm)) {
    const module = normalize(join(dirname(file), from))
    const names = taken.get(module) ?? new Set()
    for (const word of wordsBy(new RegExp(`\\b${name}\\.(\\w+)`, 'g'), [text])) names.add(word)
    taken.set(module, names)
  }
}

describe('a style module', () => {
  it('has every class that a component takes from it, and no other', () => {
    expect(modules.length).toBeGreaterThan(50)
    for (const [file, css] of modules) {
      const own = wordsBy(CLASS, [selectorsOf(css).replaceAll(inGlobal, '')])
      expect([...own].map(camelCase).toSorted(), file).toEqual([...(taken.get(file) ?? [])].toSorted())
    }
  })

  it('is there for every import, and is imported', () => {
    expect([...taken.keys()].toSorted()).toEqual(modules.map(([file]) => file).toSorted())
  })

  it('has a name of its own, since the names of its classes begin with it', () => {
    const names = modules.map(([file]) => basename(file))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })
})

describe('a class for the whole page', () => {
  const all = wordsBy(
    CLASS,
    globals.map(([, css]) => selectorsOf(css)),
  )

  it('is used by some component', () => {
    const words = wordsBy(/([a-z][a-z-]*)/g, code.values())
    expect(all.size).toBeGreaterThan(5)
    expect([...all].filter((name) => !words.has(name))).toEqual([])
  })

  it('is in a global sheet wherever a component or a module names one', () => {
    const literal = wordsBy(/className="([^"]*)"/g, code.values())
    const template = wordsBy(/className=\{`([^`]*)`\}/g, code.values())
    const named = [...literal, ...[...template].map((text) => text.replaceAll(/\$\{[^}]*\}/g, ''))]
    const asked = [...named.flatMap((text) => text.split(' ').filter(Boolean)), ...wordsBy(inGlobal, sheets.values())]
    expect([...new Set(asked)].filter((name) => !all.has(name))).toEqual([])
  })
})

describe('a part of the page that others address', () => {
  const set = wordsBy(
    /\bdata-part="([a-z-]+)"/g,
    [...code].filter(([file]) => file.endsWith('.tsx')).map(([, text]) => text),
  )
  const ASKED = /\[data-part="?([a-z-]+)"?\]/g
  const askers = [...sheets.values(), ...code.values(), ...filesOf('test/e2e/**/*.ts', 'test/bench/*.ts').values()]

  it('is there', () => {
    expect([...wordsBy(ASKED, askers)].filter((part) => !set.has(part))).toEqual([])
  })

  it('is addressed', () => {
    const lists = wordsBy(/'([a-z-]+)'/g, askers)
    const asked = wordsBy(ASKED, askers)
    expect([...set].filter((part) => !asked.has(part) && !lists.has(part))).toEqual([])
  })
})
