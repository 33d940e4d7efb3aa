import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize, relative } from 'node:path'
import { build } from 'vite'
import { editorSchemas } from '../docs/documents.ts'
import { ROOT } from '../support/imports.ts'
import { licencesOf } from './licences.ts'
import { mcpServerOf } from './mcp-server.ts'
import { PEERS } from './peers.ts'

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
const inlineTypes = ({ name, entry, types }: Declarations): void => {
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

/**
 * Writes dist/package, the npm package, and packs it beside that: docs/decisions/0027-publish-a-package-of-its-own.md.
 * It is laid out like the checkout after a build: out/main, out/renderer, and package.json above both.
 */
const dist = join(ROOT, 'dist')
const target = join(dist, 'package')
const require = createRequire(import.meta.url)
/** Where the docs name them, in a checkout and below node_modules alike. */
const EXAMPLES = 'src-main/testing/scenario/examples'
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const mcpServer = mcpServerOf(manifest, process.env)

/**
 * Native code stays a package of its own, inside ours: `npm ci` compiles any dependency with a binding.gyp, since a lock file
 * does not keep its "gypfile: false". Users bring the peers.
 */
const BUNDLED = ['better-sqlite3']
const EXTERNAL = [...BUNDLED, ...Object.keys(PEERS)]

/** `./rp` → `src-main/sdk/rp.ts`, as package.json exports them from the source. */
const entries = Object.entries<string>(manifest.exports).filter(([, path]) => path.endsWith('.ts'))
const sourceOf = (path: string): string => path.replace('./src-main/', '').replace(/\.ts$/, '')

const run = (program: string, args: readonly string[], cwd = ROOT): void => {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
    cwd,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
}

/** Libraries that the program requires when it first needs one. */
const LOADED = ['ed448', 'ml-dsa', 'secp256k1']

/** One bundle of the command and all that is exported, so that each module exists once. */
const bundle = async (): Promise<void> => {
  const input = Object.fromEntries(
    ['./src-main/cli.ts', ...entries.map(([, path]) => path)].map((path) => [sourceOf(path), join(ROOT, path)]),
  )
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    ssr: { noExternal: true, external: EXTERNAL, target: 'node' },
    build: {
      ssr: true,
      target: 'node22.14',
      outDir: join(target, 'out/main'),
      rollupOptions: {
        // What is found by its file's name, not by an import.
        input: {
          ...input,
          ...Object.fromEntries(LOADED.map((name) => [name, require.resolve(`#${name}`)])),
          'run-worker': join(ROOT, 'src-main/cli/run/run-worker.ts'),
          'camera-thread': join(ROOT, 'src-main/phones/phone/camera-thread.ts'),
        },
        output: { chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  })
}

const declare = (): void => {
  const file = join(dist, 'tsconfig.json')
  const only = { noEmit: false, emitDeclarationOnly: true, declaration: true, allowJs: false, checkJs: false }
  // Without what is marked @internal nothing needs the types of Node.
  // A build that remembers would write nothing the second time, though the folder is new.
  const options = { ...only, stripInternal: true, incremental: false, tsBuildInfoFile: null }
  const places = { rootDir: '../src-main', outDir: 'package/out/types' }
  writeFileSync(
    file,
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: { ...options, ...places },
      include: [],
      files: entries.map(([, path]) => `.${path}`),
    }),
  )
  run('typescript/bin/tsc', ['-p', file])
  const types = join(target, 'out/types')
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    const path = join(types, name)
    if (!statSync(path).isFile()) continue
    // A declaration refers to the others by the names of their scripts.
    const text = readFileSync(path, 'utf8').replace(/((?:from |import\()["']\.[^"']*)\.ts(["'])/g, '$1.js$2')
    writeFileSync(path, text)
  }
  inlineTypes({ name: 'typebox', entry: join(ROOT, 'node_modules/typebox/build/index.d.mts'), types })
}

const describe = (): void => {
  const { name, version, description, license, type, dependencies } = manifest
  const published = {
    name,
    version,
    description,
    keywords: ['fido2', 'webauthn', 'passkeys', 'qr code', 'push', 'testing', 'simulator'],
    license,
    ...repositoryOf(process.env),
    ...(mcpServer === undefined ? {} : { mcpName: mcpServer.mcpName }),
    type,
    bin: { handset: './bin.mjs' },
    exports: {
      ...Object.fromEntries(
        entries.map(([key, path]) => [
          key,
          { types: `./out/types/${sourceOf(path)}.d.ts`, default: `./out/main/${sourceOf(path)}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    imports: {
      '#handset': './bin.mjs',
      ...Object.fromEntries([...LOADED, 'camera-thread'].map((name) => [`#${name}`, `./out/main/${name}.js`])),
      '#reader.wasm': './out/reader.wasm',
    },
    files: [
      'bin.mjs',
      'early-end.mjs',
      'health.mjs',
      'out',
      EXAMPLES,
      ...editorSchemas.map(({ path }) => path),
      'SKILL.md',
      ...(mcpServer === undefined ? [] : ['server.json']),
      'THIRD-PARTY-LICENCES.txt',
    ],
    engines: { node: '^22.14.0 || >=23.6.0' },
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((name) => [name, { optional: true }])),
    dependencies: Object.fromEntries(BUNDLED.map((name) => [name, dependencies[name]])),
    bundleDependencies: BUNDLED,
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

/** Without what only compiles it. */
const copyBundled = (name: string): void => {
  const copy = join(target, 'node_modules', name)
  cpSync(join(ROOT, 'node_modules', name), copy, { recursive: true, dereference: true })
  for (const part of ['deps', 'src', 'binding.gyp']) rmSync(join(copy, part), { recursive: true })
  const file = join(copy, 'package.json')
  const { dependencies: _, devDependencies: __, scripts: ___, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify(rest, null, 2)}\n`)
}

/** npm publishes provenance only for the repository that the package names: the one whose workflow packs it. */
const repositoryOf = ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv): object =>
  GITHUB_SERVER_URL === undefined || GITHUB_REPOSITORY === undefined
    ? {}
    : { repository: { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` } }

/** The other pages stay in the checkout. */
const withoutLinks = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')

rmSync(dist, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
await bundle()
declare()
describe()
for (const name of BUNDLED) copyBundled(name)
cpSync(join(ROOT, 'out/renderer'), join(target, 'out/renderer'), { recursive: true })
// What Python keeps of a sample that ran here stays here.
cpSync(join(ROOT, EXAMPLES), join(target, EXAMPLES), {
  recursive: true,
  filter: (path) => !path.endsWith('__pycache__'),
})
copyFileSync(require.resolve('#reader.wasm'), join(target, 'out/reader.wasm'))
copyFileSync(join(ROOT, 'src-main/cli/launch/package-bin.mjs'), join(target, 'bin.mjs'))
copyFileSync(join(ROOT, 'src-main/cli/launch/early-end.mjs'), join(target, 'early-end.mjs'))
copyFileSync(join(ROOT, 'src-main/cli/launch/package-health.mjs'), join(target, 'health.mjs'))
copyFileSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
copyFileSync(join(ROOT, 'SKILL.md'), join(target, 'SKILL.md'))
if (mcpServer !== undefined)
  writeFileSync(join(target, 'server.json'), `${JSON.stringify(mcpServer.document, null, 2)}\n`)
mkdirSync(join(target, 'docs'))
for (const { path, text } of editorSchemas) writeFileSync(join(target, path), text())
writeFileSync(join(target, 'README.md'), withoutLinks(readFileSync(join(ROOT, 'docs/using/sdk.md'), 'utf8')))
writeFileSync(join(target, 'THIRD-PARTY-LICENCES.txt'), licencesOf(EXTERNAL))
const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', dist], {
  cwd: target,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (packed.status !== 0) throw new Error(`npm pack ended with ${packed.status}`)
