import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeBelow, importsOf, packageOf, ROOT } from '../support/imports.ts'

type Manifest = {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: object
}

/** Every package whose code is inside the program or the page, those that they need included, with its notice. */
const noticesOf = (outside: readonly string[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const add = (name: string): void => {
    if (found.has(name) || outside.includes(name)) return
    const folder = join(ROOT, 'node_modules', name)
    const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const notice = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
    const text = notice === undefined ? '' : readFileSync(join(folder, notice), 'utf8').trim()
    found.set(name, `${name} ${manifest.version} (${manifest.license})\n\n${text}`)
    for (const needed of Object.keys(manifest.dependencies ?? {})) if (!needed.startsWith('@types/')) add(needed)
  }
  const sources = [...codeBelow('src-main'), ...codeBelow('src-renderer', /\.(tsx?|css)$/)]
  const names = sources.flatMap((path) => importsOf(readFileSync(join(ROOT, path), 'utf8')).map(packageOf))
  for (const name of new Set(names)) if (name !== undefined && name !== 'electron') add(name)
  return found
}

/** The names of the packages whose code is inside. */
export const packagesInside = (outside: readonly string[]): readonly string[] => [...noticesOf(outside).keys()]

export const licencesOf = (outside: readonly string[]): string =>
  `${[...noticesOf(outside).values()].toSorted().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
