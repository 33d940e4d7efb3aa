import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NODE_PACKAGES } from '../src-main/cli/launch/recent-node.mjs'
import { PEERS } from './package/peers.ts'
import { codeBelow, importsOf, packageOf, ROOT } from './support/imports.ts'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

type Locked = {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly bin?: Readonly<Record<string, string>>
}

const manifest = JSON.parse(textOf('package.json'))
const { '': own, ...locked }: Record<string, Locked> = JSON.parse(textOf('package-lock.json')).packages
const CONFIGS = ['electron.vite.config.ts', 'vitest.config.ts']

const packagesIn = (paths: readonly string[]): ReadonlySet<string> =>
  new Set(paths.flatMap((path) => importsOf(textOf(path)).flatMap((specifier) => packageOf(specifier) ?? [])))

const program = packagesIn(codeBelow('src-main'))
const page = packagesIn(codeBelow('src-renderer', /\.(tsx?|css)$/))
/** RPs of other makers declare theirs beside them. */
const isForeign = (path: string): boolean => /foreign-(?:rps|servers)[\\/][^\\/]+[\\/]/.test(path)
const tests = packagesIn([...codeBelow('test').filter((path) => !isForeign(path)), ...CONFIGS])
const imported = new Set([...program, ...page, ...tests])

/** Packages whose command a script of package.json or `npm test` runs, or whose types describe what is imported. */
const runs = (name: string): boolean => {
  const commands = [...Object.values<string>(manifest.scripts), textOf('test/run.mjs')].join('\n')
  const bins = Object.keys(locked[`node_modules/${name}`]?.bin ?? {})
  return commands.includes(`${name}/`) || bins.some((bin) => new RegExp(`(^|&& )${bin} `, 'm').test(commands))
}
const describes = (name: string): boolean =>
  name === '@types/node' || (name.startsWith('@types/') && imported.has(name.slice('@types/'.length)))

it('the dependencies of the program are imported by the program', () => {
  expect(Object.keys(manifest.dependencies).filter((name) => !program.has(name))).toEqual([])
})

it('the dependencies of development are imported by the page, a test or a configuration, or run by a script', () => {
  const used = (name: string): boolean => imported.has(name) || runs(name) || describes(name)
  expect(Object.keys(manifest.devDependencies).filter((name) => !used(name))).toEqual([])
})

it('the dependencies are declared where something imports them: for the program’s own imports that is in dependencies', () => {
  // Electron is the host itself, users of the fixtures bring their runner, and the page is built.
  const forProgram = { ...manifest.dependencies, electron: '', ...PEERS }
  const declared = { ...manifest.dependencies, ...manifest.devDependencies }
  expect([...program].filter((name) => !Object.hasOwn(forProgram, name))).toEqual([])
  expect([...page, ...tests].filter((name) => !Object.hasOwn(declared, name))).toEqual([])
})

it('the dependencies that are optional are the Node of each platform, in an exact version', () => {
  expect(Object.keys(manifest.optionalDependencies)).toEqual(Object.values(NODE_PACKAGES))
  for (const [name, version] of Object.entries<string>(manifest.optionalDependencies)) {
    expect(locked[`node_modules/${name}`]).toMatchObject({ version, optional: true })
    expect(Number(version.split('.')[0])).toBeGreaterThanOrEqual(24)
  }
})

it('what npm ci installs is fixed by the hash of each package in the lock file', () => {
  const open = Object.entries(locked).filter(([, { integrity }]) => !/^sha512-.{86}==$/.test(integrity ?? ''))
  expect(open).toEqual([])
})

it('what npm ci installs comes from whatever registry is set: the lock file names none', () => {
  expect(Object.entries(locked).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

it('what npm ci installs is what package.json asks for', () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest
  expect(own).toMatchObject({ dependencies, optionalDependencies, devDependencies })
})

it('what npm ci installs runs no script of a package, neither by the rules of npm 11 nor by those before it', () => {
  const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const allowed = scripted.filter(([path]) => manifest.allowScripts[path.split('node_modules/').at(-1) ?? ''] !== false)
  expect(allowed.map(([path]) => path)).toEqual([])
  expect(Object.values(manifest.allowScripts)).not.toContain(true)
  expect(textOf('.npmrc')).toMatch(/^ignore-scripts=true$/m)
  // Nor one of our own, which no lock file would cover.
  const life = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
  expect(Object.keys(manifest.scripts).filter((name) => life.includes(name))).toEqual([])
})
