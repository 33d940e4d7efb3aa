import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeBelow, importsOf, packageOf, ROOT, withoutComments } from './support/imports.ts'

/**
 * Who may import whom: the table of docs/architecture.md as data. A folder's rule names the folders (or files) of the
 * project and the npm packages that its files may import; type-only imports count too.
 */
type Rule = { readonly from: readonly string[]; readonly npm?: readonly string[]; readonly node?: boolean }

const EVERYTHING = ['src-main/']

const rules: Readonly<Record<string, Rule>> = {
  'src-main/protocol/': { from: [] },
  'src-main/contract/': { from: ['src-main/protocol/'], npm: ['typebox'] },
  'src-main/messages/': { from: ['src-main/protocol/', 'src-main/contract/'] },
  'src-main/http/': { from: ['src-main/protocol/', 'src-main/contract/'], node: true },
  'src-main/explain/': { from: ['src-main/protocol/', 'src-main/contract/'] },
  'src-main/sdk/': { from: ['src-main/protocol/', 'src-main/contract/'], node: true },
  'src-main/authenticator/': {
    from: [
      'src-main/contract/faults.ts',
      ...['bytes', 'result', 'clock', 'random', 'webauthn-json', 'time', 'json'].map(
        (file) => `src-main/protocol/${file}.ts`,
      ),
    ],
    npm: ['@noble/post-quantum', 'cbor-x'],
    node: true,
  },
  'src-main/service/judge/': {
    from: ['src-main/protocol/', 'src-main/contract/', 'src-main/explain/'],
    npm: ['@simplewebauthn/server'],
    node: true,
  },
  'src-main/service/store/': {
    from: ['src-main/protocol/', 'src-main/contract/'],
    npm: ['better-sqlite3'],
    node: true,
  },
  'src-main/service/': {
    from: ['src-main/protocol/', 'src-main/contract/', 'src-main/messages/', 'src-main/explain/', 'src-main/http/'],
    node: true,
  },
  'src-main/phone/storage/': {
    from: ['src-main/protocol/', 'src-main/contract/', 'src-main/authenticator/'],
    npm: ['better-sqlite3'],
    node: true,
  },
  'src-main/phone/': {
    from: ['src-main/protocol/', 'src-main/contract/', 'src-main/authenticator/'],
    npm: ['zxing-wasm'],
    node: true,
  },
  'src-main/harness/': {
    from: [
      'src-main/protocol/',
      'src-main/contract/',
      'src-main/messages/',
      'src-main/explain/',
      'src-main/phone/',
      'src-main/sdk/',
    ],
    npm: ['yaml', 'uqr'],
    node: true,
  },
  'src-main/control/': {
    from: [
      'src-main/protocol/',
      'src-main/contract/',
      'src-main/messages/',
      'src-main/http/',
      'src-main/explain/',
      'src-main/harness/',
      'src-main/phone/',
      'src-main/service/admin/',
      'src-main/authenticator/faults',
      'src-main/authenticator/models.ts',
    ],
    node: true,
  },
  'src-main/shell/': {
    // The event stream is read with the client that everybody uses.
    from: ['src-main/contract/', 'src-main/messages/', 'src-main/protocol/', 'src-main/sdk/client.ts'],
    npm: ['electron'],
    node: true,
  },
  'src-main/cli/': { from: EVERYTHING, node: true },
  'src-main/bench.ts': { from: EVERYTHING, node: true },
  'src-main/cli.ts': { from: EVERYTHING, node: true },
  'src-main/index.ts': { from: EVERYTHING, npm: ['electron'], node: true },
  'src-renderer/': {
    from: [
      'src-main/protocol/',
      'src-main/contract/',
      'src-main/messages/',
      'src-main/explain/',
      'src-main/sdk/client.ts',
    ],
    npm: [
      'react',
      'react-dom',
      'lucide-react',
      'uqr',
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
      '@fontsource-variable/source-serif-4',
    ],
  },
}

const sources = ['src-main', 'src-renderer'].flatMap((folder) => codeBelow(folder, /\.(tsx?|css)$/))
const deepestFirst = Object.keys(rules).sort((a, b) => b.length - a.length)
const ruleOf = (path: string): string | undefined => deepestFirst.find((folder) => path.startsWith(folder))

/** Why this import is wrong, or undefined. */
const wrongImport = (path: string, specifier: string): string | undefined => {
  const folder = ruleOf(path)
  const rule = folder === undefined ? undefined : rules[folder]
  if (folder === undefined || rule === undefined) return `${path} lies in no folder of the table`
  if (specifier.startsWith('.')) {
    const target = relative(ROOT, join(ROOT, dirname(path), specifier))
      .split(sep)
      .join('/')
    const own = target.startsWith(folder) && ruleOf(target) === folder
    // A folder with a rule of its own inside another is still that other folder's part.
    const part =
      target.startsWith(folder) ||
      (folder.startsWith('src-main/service/') && target.startsWith('src-main/service/store/'))
    if (own || part || rule.from.some((allowed) => target.startsWith(allowed))) return undefined
    if (path.startsWith('src-renderer/') && target.startsWith('src-renderer/')) return undefined
    return `${path} imports ${target}; ${folder} may import ${rule.from.join(', ') || 'nothing'}`
  }
  if (specifier.startsWith('node:')) {
    return rule.node === true ? undefined : `${path} imports ${specifier}; ${folder} is pure`
  }
  const name = packageOf(specifier) ?? specifier
  return rule.npm?.includes(name) === true ? undefined : `${path} imports the package ${name}`
}

describe('the house', () => {
  it('has files to look at', () => {
    expect(sources.length).toBeGreaterThan(20)
  })

  it('lets a file import only what the table allows its folder', () => {
    const wrong = sources.flatMap((path) =>
      importsOf(readFileSync(join(ROOT, path), 'utf8')).flatMap((specifier) => wrongImport(path, specifier) ?? []),
    )
    expect(wrong).toEqual([])
  })

  it('gives no folder a package that nothing in it imports', () => {
    const used = new Set(
      sources.flatMap((path) =>
        importsOf(readFileSync(join(ROOT, path), 'utf8')).map((specifier) => `${ruleOf(path)} ${packageOf(specifier)}`),
      ),
    )
    const given = Object.entries(rules).flatMap(([folder, { npm = [] }]) => npm.map((name) => `${folder} ${name}`))
    expect(given.filter((permission) => !used.has(permission))).toEqual([])
  })

  it.each([
    ['src-main/protocol/ids.ts', 'node:crypto'],
    ['src-main/messages/text.ts', '../explain/cbor.ts'],
    ['src-main/explain/verdict.ts', '../messages/en/en.ts'],
    ['src-main/explain/cbor.ts', '../authenticator/canonical-cbor.ts'],
    ['src-main/authenticator/get-assertion.ts', '../explain/cbor.ts'],
    ['src-main/control/control.ts', '../service/store/store.ts'],
    ['src-main/harness/relying-party.ts', '../service/service.ts'],
    ['src-main/service/handle.ts', 'fastify'],
    ['src-renderer/api.ts', '../src-main/bench.ts'],
    ['src-main/sdk/client.ts', '../control/control.ts'],
  ])('refuses that %s imports %s', (path, specifier) => {
    expect(wrongImport(path, specifier)).toBeTypeOf('string')
  })

  it('sees every way of importing', () => {
    // With other marks for the quotes, so that this file itself does not seem to import these.
    const text = `import a from ~a~\nimport type { B } from ^b^\nimport ~c~\nexport { d } from ~d~\nconst e = await import(~e~)\nimport {\n  f,\n} from ~f~\n// import g from ~g~\nsrc: url(^@h/i/j.woff2^)`
    const found = importsOf(text.replaceAll('~', "'").replaceAll('^', '"'))
    expect(found.toSorted()).toEqual(['@h/i/j.woff2', 'a', 'b', 'c', 'd', 'e', 'f'])
  })
})

/** Real time and real randomness have one home each; everybody else is given a clock or a stream. */
const homes = ['src-main/harness/clock.ts', 'src-main/harness/random.ts']

const looksLikeTime = /\bDate\.now\b|new Date\(\s*\)/
const looksLikeChance = /\bMath\.random\b|\brandomBytes\b|\bgetRandomValues\b|\brandomUUID\b|\brandomInt\b/

describe('clock and randomness', () => {
  it('are read only in their homes', () => {
    const strays = sources
      .filter((path) => path.startsWith('src-main/') && !homes.includes(path))
      .flatMap((path) =>
        withoutComments(readFileSync(join(ROOT, path), 'utf8'))
          .split('\n')
          .flatMap((line, i) =>
            looksLikeTime.test(line) || looksLikeChance.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : [],
          ),
      )
    expect(strays).toEqual([])
  })
})
