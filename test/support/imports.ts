import { readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** Every file of code below a folder of the project, named from its root. */
export const codeBelow = (folder: string, ending = /\.(tsx?|mjs)$/): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))

export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, '')).replace(/^\s*\/\/.*$/gm, '')

/** The imports that remain when the program runs. */
export const withoutTypes = (text: string): string => text.replace(/^(import|export) type [^'"]*from '[^']*'/gm, '')

const IMPORTS = [
  /^\s*(?:import|export)\s[^'"`;]*?\sfrom\s*['"]([^'"]+)['"]/gm,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
  /\brequire(?:\.resolve)?\(\s*['"]([^'"]+)['"]\s*\)/g,
  // A style sheet's.
  /\burl\("(@?[^"]+)"\)/g,
  /\bimport\.meta\.resolve\(\s*['"]([^'"]+)['"]/g,
]

/** What a file of code imports, types included. */
export const importsOf = (text: string): readonly string[] => {
  const code = withoutComments(text)
  return IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] ?? ''))
}

/** The file that an import within the project names, from its root. */
export const targetOf = (path: string, specifier: string): string =>
  relative(ROOT, join(ROOT, dirname(path), specifier))
    .split(sep)
    .join('/')

/** The package of `name/file` or `@scope/name/file`; undefined where the import is of a file, Node or a name of ours. */
export const packageOf = (specifier: string): string | undefined =>
  /^(\.|\/|#|node:|data:|handset($|\/))/.test(specifier)
    ? undefined
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')

/** Files of at most 60 lines that one file of their own folder imports, and nothing loads lazily. */
export const crumbsAmong = (texts: ReadonlyMap<string, string>): readonly string[] => {
  const importers = new Map<string, Set<string>>()
  const lazy = new Set<string>()
  for (const [path, text] of texts) {
    for (const specifier of importsOf(text)) {
      const target = targetOf(path, specifier)
      importers.set(target, (importers.get(target) ?? new Set()).add(path))
    }
    for (const [, specifier = ''] of text.matchAll(/import\(\s*'([^']+)'/g)) lazy.add(targetOf(path, specifier))
  }
  return [...texts].flatMap(([path, text]) => {
    const [importer, ...others] = importers.get(path) ?? []
    const isAlone = importer !== undefined && others.length === 0 && dirname(importer) === dirname(path)
    return isAlone && /\.tsx?$/.test(path) && !lazy.has(path) && text.split('\n').length <= 61 ? [path] : []
  })
}
