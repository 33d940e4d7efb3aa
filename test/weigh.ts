/**
 * What a successor carries: `npm run weigh -- [REVISION]…` counts at each, or at HEAD, lines of source and tests, words of documents, and
 * how the source is cut: crumbs (at most 60 lines, one importer, in its own folder, not loaded lazily), short files, and floors of
 * rooms (1 for a file that imports nothing of its room, else one more than the highest it imports).
 */
import { execFileSync } from 'node:child_process'
import { crumbsAmong, importsOf, ROOT, targetOf } from './support/imports.ts'

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', maxBuffer: 512 * 1024 * 1024 })

const CODE = /\.(ts|tsx|mjs|css)$/
/** Others' RPs and vectors are material, not ours to read. */
const MATERIAL = /^test\/(foreign-rps\/[^/]+|vectors)\//

const PARTS = {
  'lines of source': (path: string) => /^src-(main|renderer)\//.test(path) && CODE.test(path),
  'lines of tests': (path: string) => path.startsWith('test/') && CODE.test(path) && !MATERIAL.test(path),
  'words of documents': (path: string) => path.endsWith('.md') && !path.startsWith('test/'),
  'kB of schemas and pictures': (path: string) => path.startsWith('docs/') && !path.endsWith('.md'),
} as const

type Part = keyof typeof PARTS

const measured = (part: Part, bytes: Buffer): number => {
  if (part === 'kB of schemas and pictures') return bytes.length / 1024
  const text = bytes.toString('utf8')
  return part === 'words of documents' ? (text.match(/\S+/g)?.length ?? 0) : text.split('\n').length - 1
}

/** The contents of the paths at a revision, by one program: each is preceded by a line that ends in its length. */
const contentsOf = (revision: string, paths: readonly string[]): readonly Buffer[] => {
  const input = paths.map((path) => `${revision}:${path}\n`).join('')
  const out = execFileSync('git', ['-C', ROOT, 'cat-file', '--batch'], { input, maxBuffer: 512 * 1024 * 1024 })
  let at = 0
  return paths.map(() => {
    const from = out.indexOf('\n', at) + 1
    const length = Number(out.toString('utf8', at, from).trim().split(' ').at(-1))
    at = from + length + 1
    return out.subarray(from, from + length)
  })
}

const partOf = (path: string): Part | undefined => (Object.keys(PARTS) as Part[]).find((each) => PARTS[each](path))

const weigh = (revision: string): Readonly<Record<Part, number>> => {
  const total = Object.fromEntries(Object.keys(PARTS).map((part) => [part, 0])) as Record<Part, number>
  const paths = git('ls-tree', '-r', '-z', '--name-only', revision).split('\0').filter(partOf)
  for (const [i, bytes] of contentsOf(revision, paths).entries()) {
    const part = partOf(paths[i] ?? '')
    if (part !== undefined) total[part] += measured(part, bytes)
  }
  return total
}

const WINGS: ReadonlySet<string> = new Set(['core', 'views', 'testing', 'bench', 'phones'])
const roomOf = (path: string): string => {
  const [root = '', wing = '', room = '', ...rest] = path.split('/')
  return [root, wing, ...(root === 'src-main' && WINGS.has(wing) && rest.length > 0 ? [room] : [])].join('/')
}

/** How the source is cut. */
const cutOf = (revision: string): Readonly<Record<string, number>> => {
  const paths = git('ls-tree', '-r', '-z', '--name-only', revision, 'src-main', 'src-renderer').split('\0')
  const files = paths.filter((path) => /\.tsx?$/.test(path))
  const texts = new Map(contentsOf(revision, files).map((bytes, i) => [files[i] ?? '', bytes.toString('utf8')]))
  const linesOf = (path: string): number => (texts.get(path)?.split('\n').length ?? 1) - 1
  const imports = new Map(
    [...texts].map(([path, text]) => [
      path,
      importsOf(text)
        .map((to) => targetOf(path, to))
        .filter((to) => texts.has(to)),
    ]),
  )
  const floors = new Map<string, number>()
  const floorOf = (path: string, way: ReadonlySet<string> = new Set()): number => {
    const inRoom = (imports.get(path) ?? []).filter((target) => roomOf(target) === roomOf(path) && !way.has(target))
    const floor =
      floors.get(path) ?? 1 + Math.max(0, ...inRoom.map((target) => floorOf(target, new Set([...way, path]))))
    floors.set(path, floor)
    return floor
  }
  const tall = new Map<string, number>()
  for (const path of files) tall.set(roomOf(path), Math.max(tall.get(roomOf(path)) ?? 0, floorOf(path)))
  return {
    'files of source': files.length,
    crumbs: crumbsAmong(texts).length,
    'files of at most 30 lines': files.filter((path) => linesOf(path) <= 30).length,
    'rooms of over 8 floors': [...tall.values()].filter((floor) => floor > 8).length,
  }
}

const named = process.argv.slice(2)
const revisions = named.length === 0 ? ['HEAD'] : named
const weights = revisions.map(weigh)
const WIDTH = 14
console.log(`${''.padEnd(28)}${revisions.map((revision) => revision.slice(0, WIDTH - 2).padStart(WIDTH)).join('')}`)
for (const part of Object.keys(PARTS) as Part[]) {
  const cells = weights.map((weight) => Math.round(weight[part]).toLocaleString('en').padStart(WIDTH))
  console.log(`${part.padEnd(28)}${cells.join('')}`)
}
const cuts = revisions.map(cutOf)
for (const name of Object.keys(cuts[0] ?? {}))
  console.log(`${name.padEnd(28)}${cuts.map((cut) => (cut[name] ?? 0).toLocaleString('en').padStart(WIDTH)).join('')}`)
