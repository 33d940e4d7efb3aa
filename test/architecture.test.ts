import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  codeBelow,
  crumbsAmong,
  importsOf,
  packageOf,
  ROOT,
  targetOf,
  withoutComments,
  withoutTypes,
} from './support/imports.ts'

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

const PROTOCOL = 'src-main/core/protocol/'
const inMain = (...paths: readonly string[]): readonly string[] => [
  PROTOCOL,
  ...paths.map((path) => `src-main/${path}`),
]
const EVERYTHING = ['src-main/']

const rules: Readonly<Record<string, Rule>> = {
  'src-main/core/protocol/': { from: [] },
  'src-main/core/contract/': { from: inMain(), npm: ['typebox'] },
  'src-main/core/messages/': { from: inMain('core/contract/') },
  // Beside the design: docs/decisions/0001.
  'src-main/http/': { from: inMain('core/contract/', 'core/messages/'), node: true },
  'src-main/core/judge/': { from: inMain('core/contract/') },
  // The page draws it, and the service searches it.
  'src-main/views/timeline/': { from: inMain('core/contract/', 'core/messages/') },
  // Web streams alone: the page opens traces as well.
  'src-main/views/trace/': { from: inMain('core/contract/') },
  'src-main/testing/mcp/': {
    from: inMain('core/contract/', 'core/messages/', 'sdk/', 'testing/scenario/'),
    npm: ['@modelcontextprotocol/server'],
  },
  // The page inspects as well.
  'src-main/views/inspect/': { from: inMain('core/contract/', 'core/judge/') },
  'src-main/sdk/': { from: inMain('core/contract/', 'views/trace/'), npm: ['@playwright/test', 'vitest'], node: true },
  'src-main/phones/authenticator/': {
    from: [
      'core/contract/faults.ts',
      ...['bytes', 'result', 'time', 'random', 'json'].map((file) => `core/protocol/${file}.ts`),
    ].map((path) => `src-main/${path}`),
    types: ['src-main/core/protocol/webauthn-json.ts'],
    npm: ['@noble/curves', '@noble/post-quantum', 'cbor-x'],
    node: true,
  },
  'src-main/service/second-opinion/': {
    from: inMain('core/contract/', 'core/judge/'),
    npm: ['@noble/curves', '@noble/post-quantum', '@peculiar/webcrypto', '@simplewebauthn/server'],
    node: true,
  },
  // What service, phones and bench share of files: who may read them, how they are put on disk.
  'src-main/disk/': { from: inMain('core/contract/'), npm: ['better-sqlite3'], node: true },
  'src-main/service/store/': { from: inMain('core/contract/', 'disk/'), npm: ['better-sqlite3', 'pg'], node: true },
  'src-main/service/': {
    from: inMain('core/contract/', 'core/messages/', 'core/judge/', 'http/', 'disk/'),
    node: true,
  },
  'src-main/phones/phone/storage/': {
    from: inMain('core/contract/', 'phones/authenticator/', 'disk/log-sync.ts'),
    npm: ['better-sqlite3'],
    node: true,
  },
  'src-main/phones/phone/': {
    from: inMain('core/contract/', 'phones/authenticator/'),
    npm: ['tough-cookie', 'zxing-wasm'],
    node: true,
  },
  'src-main/bench/harness/storage/': {
    from: inMain('bench/harness/', 'core/contract/log-problems.ts', 'disk/owner-only.ts', 'disk/log-sync.ts'),
    npm: ['better-sqlite3'],
    node: true,
  },
  'src-main/bench/harness/': {
    from: inMain('core/contract/', 'core/judge/', 'phones/phone/', 'sdk/', 'views/trace/'),
    node: true,
  },
  // Calls to an RP under test, as a browser makes them.
  'src-main/testing/calls/': { from: inMain('core/contract/'), npm: ['tough-cookie'] },
  'src-main/testing/scenario/': {
    from: inMain(
      ...['core/contract/', 'core/messages/', 'sdk/', 'bench/harness/clock.ts', 'bench/harness/random.ts'],
      'testing/calls/',
    ),
    // Of Playwright types alone, here and below: the user brings the program.
    npm: ['yaml', 'uqr', '@playwright/test'],
    node: true,
  },
  // Towards an RP under test, as its user and its phone: over HTTP alone.
  'src-main/testing/suite/': {
    from: inMain('core/contract/', 'sdk/', 'testing/calls/'),
    npm: ['@playwright/test'],
    node: true,
  },
  // Towards a service under test, as an RP and its phones: over HTTP alone, and signed by hand where the SDK would not.
  'src-main/testing/check/': {
    from: inMain(
      'core/contract/',
      'phones/authenticator/',
      'sdk/',
      'phones/phone/account-secret.ts',
      'phones/phone/bound-message.ts',
      'testing/calls/',
    ),
    npm: ['uqr'],
    node: true,
  },
  // For tests of one's own server: an entry of the package.
  'src-main/testing/own-server/': {
    from: inMain('core/contract/', 'bench/harness/random.ts', 'sdk/real-time.ts', 'testing/check/webauthn/'),
  },
  // Towards a page, as its user and the authenticator behind it.
  'src-main/testing/check/webauthn/learn/': {
    from: inMain(
      ...['core/contract/', 'phones/authenticator/', 'sdk/real-time.ts'],
      ...['testing/calls/placeholders.ts', 'testing/calls/session.ts'],
      ...['testing/check/webauthn/credential-names.ts', 'testing/suite/learn/page-elements.ts'],
    ),
    npm: ['@playwright/test'],
    node: true,
  },
  // Phones with as little in them as a ceremony needs; towards the service over HTTP alone.
  'src-main/testing/load/': {
    from: inMain(
      ...['core/contract/', 'phones/authenticator/', 'sdk/'],
      ...['app-client', 'bound-message', 'phone-state', 'inbox'].map((file) => `phones/phone/${file}.ts`),
    ),
    node: true,
  },
  'src-main/views/report/': { from: inMain('core/contract/', 'core/messages/', 'views/timeline/') },
  // The page writes code as well.
  'src-main/views/code/': { from: inMain('core/contract/') },
  'src-main/views/recording/': { from: inMain('core/contract/', 'core/messages/', 'views/timeline/') },
  'src-main/bench/control/': {
    from: inMain(
      ...[
        'core/contract/',
        'bench/harness/',
        'phones/phone/',
        'core/judge/',
        'service/admin/',
        'bench/tls/trust-store.ts',
      ],
      ...['phones/authenticator/faults.ts', 'phones/authenticator/models.ts'],
      // Beside the design: it shares the listener, and its envelopes and lists have sentences.
      ...['http/', 'core/messages/', 'views/recording/', 'views/report/', 'views/timeline/', 'views/trace/'],
    ),
    node: true,
  },
  // Of the authenticator what writes certificates.
  'src-main/bench/tls/': {
    from: inMain(
      'core/contract/',
      ...['algorithms', 'der', 'private-key'].map((file) => `phones/authenticator/${file}.ts`),
      ...['attestation-authority', 'certificate'].map((file) => `phones/authenticator/attestation/${file}.ts`),
      'disk/',
    ),
    node: true,
  },
  'src-main/bench/metrics/': { from: inMain('core/contract/', 'service/store/store.ts'), node: true },
  'src-main/shell/': { from: inMain('core/contract/', 'core/messages/', 'sdk/'), npm: ['electron'], node: true },
  'src-main/cli/': { from: EVERYTHING, node: true },
  'src-main/bench/assembly/bench.ts': { from: EVERYTHING, node: true },
  'src-main/bench/assembly/service-process.ts': { from: EVERYTHING, node: true },
  'src-main/cli.ts': { from: EVERYTHING, node: true },
  'src-main/index.ts': { from: EVERYTHING, npm: ['electron'], node: true },
  // How the viewer is built; nothing imports it. The sheet of primitives is made while the page is built.
  'src-renderer/viewer/vite.config.ts': { from: [], npm: ['vite', '@vitejs/plugin-react'] },
  'src-renderer/ui/layout.ts': { from: [], npm: ['vite'], node: true },
  'src-renderer/': {
    from: [
      ...inMain(
        ...[
          'core/contract/',
          'core/messages/',
          'core/judge/',
          'views/inspect/',
          'views/code/',
          'views/timeline/',
          'views/trace/',
        ],
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

/** The wings, each floor below the next. A wing imports only wings of lower floors. */
const FLOORS = [
  ['core'],
  ['views', 'http', 'disk'],
  ['service', 'phones', 'sdk'],
  ['bench', 'shell', 'src-renderer'],
  ['testing'],
  ['cli'],
  ['index.ts', 'cli.ts'],
] as const
const wingOf = (path: string): string => path.split('/')[path.startsWith('src-main/') ? 1 : 0] ?? ''
const floorOf = (path: string): number => FLOORS.findIndex((wings) => wings.some((wing) => wing === wingOf(path)))

/** Why a short file that one neighbour imports is a file of its own. */
const ALONE: Readonly<Record<string, string>> = {
  'src-main/cli/run/run-worker.ts': 'a process of its own',
  'src-main/core/judge/attestation/': 'one of the formats',
  'src-main/core/messages/': 'one topic in one language',
  'src-main/http/tls-handshakes.ts': 'node:tls has a Server, too',
  'src-main/views/code/': 'one of the languages',
  'src-main/testing/scenario/save-values.ts': 'readers of variables need no patterns',
  'src-renderer/connect/signers.ts': 'a table',
  'src-renderer/trace/trace-worker.ts': 'a worker',
  'src-renderer/trace/worker-source.ts': 'how the worker is bundled',
  'src-renderer/viewer/trace-view.tsx': 'other parts of the viewer share its styles',
}

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

it('the house has files to look at', () => {
  expect(sources.length).toBeGreaterThan(20)
})

it('the house lets a file import only what the table allows its folder', () => {
  const wrong = sources.flatMap((path) => {
    const code = readFileSync(join(ROOT, path), 'utf8')
    const loaded = new Set(importsOf(withoutTypes(code)))
    return importsOf(code).flatMap((specifier) => wrongImport(path, specifier, !loaded.has(specifier)) ?? [])
  })
  expect(wrong).toEqual([])
})

it('the house has each file in a wing, and no wing imports one of its own floor or above', () => {
  expect(sources.filter((path) => floorOf(path) < 0)).toEqual([])
  const upwards = sources.flatMap((path) =>
    importsOf(readFileSync(join(ROOT, path), 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => targetOf(path, specifier))
      .filter((target) => wingOf(target) !== wingOf(path) && floorOf(target) >= floorOf(path))
      .map((target) => `${path} imports ${target}`),
  )
  expect(upwards).toEqual([])
  const up = ['src-main/core/judge/verdict.ts', 'src-main/views/trace/trace-file.ts']
  expect(up.map(floorOf)).toEqual([0, 1])
})

it('the house has no file of at most 60 lines for one neighbour alone, but for those with another reason', () => {
  const texts = new Map(sources.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
  const crumbs = crumbsAmong(texts)
  expect(crumbs.filter((path) => !Object.keys(ALONE).some((reason) => path.startsWith(reason)))).toEqual([])
  expect(Object.keys(ALONE).filter((reason) => !crumbs.some((path) => path.startsWith(reason)))).toEqual([])
})

it('the house gives no folder a package that nothing in it imports', () => {
  const used = new Set(
    sources.flatMap((path) =>
      importsOf(readFileSync(join(ROOT, path), 'utf8')).map((specifier) => `${ruleOf(path)} ${packageOf(specifier)}`),
    ),
  )
  const given = Object.entries(rules).flatMap(([folder, { npm = [] }]) => npm.map((name) => `${folder} ${name}`))
  expect(given.filter((permission) => !used.has(permission))).toEqual([])
})

it.each([
  ['src-main/core/protocol/ids.ts', 'node:crypto'],
  ['src-main/core/messages/messages.ts', '../judge/cbor.ts'],
  ['src-main/core/judge/verdict.ts', '../messages/en/en.ts'],
  ['src-main/core/judge/cbor.ts', '../../phones/authenticator/canonical-cbor.ts'],
  ['src-main/phones/authenticator/get-assertion.ts', '../../core/judge/cbor.ts'],
  ['src-main/phones/authenticator/get-assertion.ts', '../../core/protocol/webauthn-json.ts'],
  ['src-main/testing/scenario/run-scenario.ts', '../../bench/harness/recorder.ts'],
  ['src-main/bench/control/control.ts', '../../service/store/store.ts'],
  ['src-main/bench/harness/rp-simulator.ts', '../../service/service.ts'],
  ['src-main/testing/load/run-load.ts', '../../service/service.ts'],
  ['src-main/service/handle.ts', 'fastify'],
  ['src-renderer/api.ts', '../src-main/bench/assembly/bench.ts'],
  ['src-main/sdk/client.ts', '../bench/control/control.ts'],
])('the house refuses that %s imports %s', (path, specifier) => {
  expect(wrongImport(path, specifier)).toBeTypeOf('string')
})

it('the house sees every way of importing', () => {
  // With other marks for the quotes, so that this file itself does not seem to import these.
  const text = `import a from ~a~\nimport type { B } from ^b^\nimport ~c~\nexport { d } from ~d~\nconst e = await import(~e~)\nimport {\n  f,\n} from ~f~\n// import g from ~g~\nsrc: url(^@h/i/j.woff2^)`
  const found = importsOf(text.replaceAll('~', "'").replaceAll('^', '"'))
  expect(found.toSorted()).toEqual(['@h/i/j.woff2', 'a', 'b', 'c', 'd', 'e', 'f'])
})

/** Real time and real randomness have one home each; everybody else is given a clock or a stream. */
const homes = ['src-main/bench/harness/clock.ts', 'src-main/bench/harness/random.ts', 'src-main/sdk/real-time.ts']

const looksLikeTime = /\bDate\.now\b|new Date\(\s*\)/
const looksLikeChance = /\bMath\.random\b|\brandomBytes\b|\bgetRandomValues\b|\brandomUUID\b|\brandomInt\b/

it('clock and randomness are read only in their homes', () => {
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

const scripts = sources.filter((path) => !path.endsWith('.css'))
const graphOf = (read: (code: string) => string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    scripts.map((path) => {
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

it('there is no circle of imports, types included', () => {
  expect(loads.get('src-main/bench/assembly/bench.ts')).toContain('src-main/service/service.ts')
  expect(scripts.filter((path) => reached(path, imports).has(path))).toEqual([])
})

it('the page loads no compiled validation, which its policy forbids', () => {
  for (const start of ['src-renderer/main.tsx', 'src-renderer/viewer/main.tsx']) {
    const page = reached(start)
    expect(page).toContain('src-main/core/contract/events.ts')
    expect(page).not.toContain('src-main/core/contract/validate.ts')
  }
})
