import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeBelow, importsOf, packageOf, ROOT, targetOf, withoutComments, withoutTypes } from './support/imports.ts'

/**
 * Who may import whom, as docs/architecture.md explains. A folder's rule names the folders (or files) of the
 * project and the npm packages that its files may import; type-only imports count too. Everything but the authenticator
 * may import protocol.
 */
type Rule = {
  readonly from: readonly string[]
  /** Of these only types. */
  readonly types?: readonly string[]
  readonly npm?: readonly string[]
  readonly node?: boolean
}

const PROTOCOL = 'src-main/protocol/'
const inMain = (...paths: readonly string[]): readonly string[] => [
  PROTOCOL,
  ...paths.map((path) => `src-main/${path}`),
]
const EVERYTHING = ['src-main/']

const rules: Readonly<Record<string, Rule>> = {
  'src-main/protocol/': { from: [] },
  'src-main/contract/': { from: inMain(), npm: ['typebox'] },
  'src-main/messages/': { from: inMain('contract/') },
  // Beside the design: docs/decisions/0001.
  'src-main/http/': { from: inMain('contract/', 'messages/'), node: true },
  'src-main/explain/': { from: inMain('contract/') },
  // The page draws it, and the service searches it.
  'src-main/timeline/': { from: inMain('contract/', 'messages/') },
  // Web streams alone: the page opens traces as well.
  'src-main/trace/': { from: inMain('contract/') },
  'src-main/mcp/': {
    from: inMain('contract/', 'messages/', 'sdk/', 'scenario/'),
    npm: ['@modelcontextprotocol/server'],
  },
  // The page inspects as well.
  'src-main/inspect/': { from: inMain('contract/', 'explain/') },
  'src-main/sdk/': {
    from: inMain('contract/', 'trace/', 'messages/en/rp-client.ts'),
    npm: ['@playwright/test', 'vitest'],
    node: true,
  },
  'src-main/authenticator/': {
    from: [
      'contract/faults.ts',
      ...['bytes', 'result', 'time', 'random', 'json'].map((file) => `protocol/${file}.ts`),
    ].map((path) => `src-main/${path}`),
    types: ['src-main/protocol/webauthn-json.ts'],
    npm: ['@noble/curves', '@noble/post-quantum', 'cbor-x'],
    node: true,
  },
  'src-main/service/judge/': {
    from: inMain('contract/', 'explain/'),
    npm: ['@noble/curves', '@noble/post-quantum', '@peculiar/webcrypto', '@simplewebauthn/server'],
    node: true,
  },
  'src-main/service/store/': { from: inMain('contract/'), npm: ['better-sqlite3', 'pg'], node: true },
  'src-main/service/': { from: inMain('contract/', 'messages/', 'explain/', 'http/'), node: true },
  'src-main/phone/storage/': {
    from: inMain('contract/', 'authenticator/', 'service/store/sqlite/log-sync.ts'),
    npm: ['better-sqlite3'],
    node: true,
  },
  'src-main/phone/': { from: inMain('contract/', 'authenticator/'), npm: ['zxing-wasm'], node: true },
  'src-main/harness/storage/': {
    from: inMain(
      'harness/',
      'contract/log-problems.ts',
      'service/store/owner-only.ts',
      'service/store/sqlite/log-sync.ts',
    ),
    npm: ['better-sqlite3'],
    node: true,
  },
  'src-main/harness/': { from: inMain('contract/', 'explain/', 'phone/', 'sdk/', 'trace/'), node: true },
  'src-main/scenario/': {
    from: inMain('contract/', 'messages/', 'sdk/', 'harness/clock.ts', 'harness/random.ts'),
    npm: ['yaml', 'uqr', 'tough-cookie'],
    node: true,
  },
  // Towards an RP under test, as its user and its phone: over HTTP alone.
  'src-main/suite/': { from: inMain('contract/', 'sdk/', 'scenario/own-rp/cookies.ts'), node: true },
  // Towards a service under test, as an RP and its phones: over HTTP alone, and signed by hand where the SDK would not.
  'src-main/check/': {
    from: inMain('contract/', 'authenticator/', 'sdk/', 'phone/account.ts', 'phone/bound-message.ts'),
    npm: ['uqr'],
    node: true,
  },
  // Phones with as little in them as a ceremony needs; towards the service over HTTP alone.
  'src-main/load/': {
    from: inMain(
      ...['contract/', 'authenticator/', 'sdk/'],
      ...['app-client', 'bound-message', 'header-text', 'inbox'].map((file) => `phone/${file}.ts`),
    ),
    node: true,
  },
  'src-main/report/': { from: inMain('contract/', 'messages/') },
  // The page writes code as well.
  'src-main/code/': { from: inMain('contract/') },
  'src-main/recording/': { from: inMain('contract/', 'messages/') },
  'src-main/control/': {
    from: inMain(
      ...['contract/', 'harness/', 'phone/', 'explain/', 'service/admin/', 'tls/trust-store.ts'],
      ...['authenticator/faults.ts', 'authenticator/models.ts'],
      // Beside the design: it shares the listener, and its envelopes and lists have sentences.
      ...['http/', 'messages/', 'recording/', 'report/', 'timeline/', 'trace/'],
    ),
    node: true,
  },
  // Of the authenticator what writes certificates.
  'src-main/tls/': {
    from: inMain(
      'contract/',
      ...['algorithms', 'der', 'private-key'].map((file) => `authenticator/${file}.ts`),
      ...['attestation-authority', 'certificate'].map((file) => `authenticator/attestation/${file}.ts`),
      ...['data-directory', 'owner-only'].map((file) => `service/store/${file}.ts`),
    ),
    node: true,
  },
  'src-main/metrics/': { from: inMain('contract/', 'service/store/shared-store.ts'), node: true },
  'src-main/shell/': { from: inMain('contract/', 'messages/', 'sdk/'), npm: ['electron'], node: true },
  'src-main/cli/': { from: EVERYTHING, node: true },
  'src-main/bench.ts': { from: EVERYTHING, node: true },
  'src-main/bench-clocks.ts': { from: EVERYTHING },
  'src-main/bench-settings.ts': { from: EVERYTHING },
  'src-main/service-process.ts': { from: EVERYTHING, node: true },
  'src-main/cli.ts': { from: EVERYTHING, node: true },
  'src-main/index.ts': { from: EVERYTHING, npm: ['electron'], node: true },
  // How the viewer is built; nothing imports it.
  'src-renderer/viewer/vite.config.ts': { from: [], npm: ['vite', '@vitejs/plugin-react'] },
  'src-renderer/': {
    from: [
      ...inMain(
        ...['contract/', 'messages/', 'explain/', 'inspect/', 'code/', 'timeline/', 'trace/'],
        ...['sdk/client.ts', 'sdk/save-trace.ts'],
      ),
      // Programs that the page shows and the tests run.
      'docs/interface/signing/',
    ],
    npm: [
      ...['react', 'react-dom', 'lucide-react', 'uqr'],
      ...['inter', 'jetbrains-mono', 'source-serif-4'].map((font) => `@fontsource-variable/${font}`),
    ],
  },
}

const sources = ['src-main', 'src-renderer'].flatMap((folder) => codeBelow(folder, /\.(tsx?|css)$/))
const deepestFirst = Object.keys(rules).sort((a, b) => b.length - a.length)
const ruleOf = (path: string): string | undefined => deepestFirst.find((folder) => path.startsWith(folder))

/** Why this import is wrong, or undefined. */
const wrongImport = (path: string, specifier: string, isType = false): string | undefined => {
  const folder = ruleOf(path)
  const rule = folder === undefined ? undefined : rules[folder]
  if (folder === undefined || rule === undefined) return `${path} lies in no folder of the table`
  if (specifier.startsWith('.')) {
    const target = targetOf(path, specifier)
    const own = target.startsWith(folder) && ruleOf(target) === folder
    // A folder with a rule of its own inside another is still that other folder's part.
    const part =
      target.startsWith(folder) ||
      (folder.startsWith('src-main/service/') && target.startsWith('src-main/service/store/'))
    const allowed = [...rule.from, ...((isType && rule.types) || [])]
    if (own || part || allowed.some((one) => target.startsWith(one))) return undefined
    if (path.startsWith('src-renderer/') && target.startsWith('src-renderer/')) return undefined
    return `${path} imports ${target}; ${folder} may import ${allowed.join(', ') || 'nothing'}`
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
    const wrong = sources.flatMap((path) => {
      const code = readFileSync(join(ROOT, path), 'utf8')
      const loaded = new Set(importsOf(withoutTypes(code)))
      return importsOf(code).flatMap((specifier) => wrongImport(path, specifier, !loaded.has(specifier)) ?? [])
    })
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
    ['src-main/authenticator/get-assertion.ts', '../protocol/webauthn-json.ts'],
    ['src-main/scenario/run-scenario.ts', '../harness/recorder.ts'],
    ['src-main/control/control.ts', '../service/store/store.ts'],
    ['src-main/harness/relying-party.ts', '../service/service.ts'],
    ['src-main/load/run-load.ts', '../service/service.ts'],
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
const homes = ['src-main/harness/clock.ts', 'src-main/harness/random.ts', 'src-main/sdk/real-time.ts']

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
