import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

type Declarations = {
  /** Of the package: `typebox`. */
  readonly name: string
  /** Its first declaration: `…/typebox/build/index.d.mts`. */
  readonly entry: string
  /** The declarations that name it. */
  readonly types: string
}

const SPECIFIER = /((?:\bfrom|\bimport\()\s*["'])([^"']+)(["'])/g

/**
 * Puts the declarations of a package beside those that name it, as many as they lead to, so that a project that installs ours
 * need not install that one too.
 */
export const inlineTypes = ({ name, entry, types }: Declarations): void => {
  const home = dirname(entry)
  const target = join(types, name)
  for (const file of reachable(entry)) {
    const copy = join(target, relative(home, file))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(file, copy)
  }
  const first = join(target, relative(home, entry)).replace(/\.d\.mts$/, '.mjs')
  for (const path of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    const file = join(types, path)
    if (!path.endsWith('.d.ts') || !statSync(file).isFile()) continue
    const there = relative(dirname(file), first).replaceAll('\\', '/')
    const address = there.startsWith('.') ? there : `./${there}`
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace(SPECIFIER, (all, before: string, named: string, after: string) =>
        named === name ? before + address + after : all,
      ),
    )
  }
}

const reachable = (entry: string): ReadonlySet<string> => {
  const found = new Set([entry])
  for (const file of found) {
    for (const [, , named = ''] of readFileSync(file, 'utf8').matchAll(SPECIFIER)) {
      if (!named.startsWith('.')) throw new Error(`${file} names ${named}, which would have to be installed.`)
      found.add(normalize(join(dirname(file), named)).replace(/\.mjs$/, '.d.mts'))
    }
  }
  return found
}
