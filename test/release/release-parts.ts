import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeProgram, PROGRAM } from '../image/root-file-system.ts'
import { packagesInside } from '../package/licences.ts'
import { PEERS } from '../package/peers.ts'
import { ROOT } from '../support/imports.ts'

export type Release = {
  readonly version: string
  /** An empty folder. */
  readonly out: string
  /** `https://github.com/OWNER/NAME`: its releases have the files. */
  readonly repository: string
  /** A secret key of gpg's keyring. Without one nothing is signed. */
  readonly key?: string | undefined
  /** The desktop program's installer, made on Windows. Without it there are no files for winget. */
  readonly installer?: string | undefined
}

/** All that can be made here of dist/package and of the clients. */
export const makeRelease = (release: Release): void => {
  const scratch = mkdtempSync(join(tmpdir(), 'handset-release-'))
  try {
    copyFileSync(join(ROOT, `dist/handset-${release.version}.tgz`), join(release.out, `handset-${release.version}.tgz`))
    rehearsePublishing()
    writeSbom(release)
    makePython(release, join(scratch, 'python'))
    makeMaven(release, join(scratch, 'maven'))
    if (process.platform === 'linux') makeDeb(release, join(scratch, 'deb'))
    writeManifests(release)
    writeSums(release)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const run = (program: string, args: readonly string[], cwd = ROOT): string =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    // Files carry the time of the commit, so that one commit gives the same ones again.
    env: { ...process.env, SOURCE_DATE_EPOCH: SECONDS },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1024 ** 3,
  })

const SECONDS = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim()
const TIME = new Date(Number(SECONDS) * 1000).toISOString()
const CREATED = ['--create', `--date=${TIME.slice(0, 19)}Z`]
const words = (text: string): readonly string[] => text.split(' ')

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
const addressOf = ({ repository, version }: Release, file: string): string =>
  `${repository}/releases/download/v${version}/${basename(file)}`

const rehearsePublishing = (): void => {
  run('npm', [...words('publish --dry-run --loglevel=error --access=public --tag=latest'), join(ROOT, 'dist/package')])
}

type Component = {
  readonly name: string
  readonly version: string
  readonly 'bom-ref': string
  /** Says only that a package is for development: that of the page are, and are inside. */
  readonly properties: readonly object[]
}
type Sbom = {
  serialNumber?: string
  metadata: { timestamp: string; component: { name: string; properties?: unknown } }
  components: readonly Component[]
  dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/** CycloneDX, of the packages whose code is in ours or that it installs: not of what only builds and tests it. */
const writeSbom = ({ out, version }: Release): void => {
  const bom: Sbom = JSON.parse(run('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']))
  const inside = new Set(packagesInside(Object.keys(PEERS)))
  const root = `handset@${version}`
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  // Another version, below a package that only tests need, is not inside.
  const isOurs = ({ name, version: theirs, properties }: Component): boolean =>
    inside.has(name) && (properties.length === 0 || packages[`node_modules/${name}`].version === theirs)
  const refs = new Set([root, ...bom.components.filter(isOurs).map((one) => one['bom-ref'])])
  delete bom.serialNumber
  delete bom.metadata.component.properties
  bom.metadata.timestamp = TIME
  // npm takes the name of the folder.
  bom.metadata.component.name = 'handset'
  bom.components = bom.components
    .filter((one) => refs.has(one['bom-ref']))
    .map((one) => ({ ...one, scope: 'required', properties: [] }))
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  writeFileSync(join(out, `handset-${version}.cdx.json`), `${JSON.stringify(bom, null, 2)}\n`)
}

const BUILD =
  'import sys; from setuptools import build_meta as b; out = sys.argv[1]; b.build_sdist(out); b.build_wheel(out)'

const makePython = ({ out }: Release, scratch: string): void => {
  mkdirSync(scratch)
  for (const name of ['pyproject.toml', 'README.md', 'src']) {
    cpSync(join(ROOT, 'clients/python', name), join(scratch, name), { recursive: true })
  }
  cpSync(join(ROOT, 'LICENSE'), join(scratch, 'LICENSE'))
  // The system's has setuptools and wheel on Debian; one that comes before it on the path may not.
  const python = process.env.PYTHON ?? (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3')
  run(python, ['-c', BUILD, out], scratch)
}

/** The bundle that Maven Central takes: a part of a repository, each file with checksums and a signature. */
const makeMaven = ({ out, version, repository, key }: Release, scratch: string): void => {
  const group = `io.github.${new URL(repository).pathname.split('/')[1]?.toLowerCase()}`
  const folder = join(scratch, 'bundle', ...group.split('.'), 'handset-client', version)
  const [classes, docs] = [join(scratch, 'classes'), join(scratch, 'docs')]
  mkdirSync(folder, { recursive: true })
  const source = join(ROOT, 'clients/java/src/main/java')
  const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.java'))
  const files = sources.toSorted().map((name) => join(source, name))
  const path = ['-cp', ['junit-jupiter-api', 'junit-platform-commons', 'apiguardian-api'].map(jarOf).join(':')]
  run('javac', ['-encoding', 'UTF-8', '--release', '17', '-proc:none', ...path, '-d', classes, ...files])
  run('javadoc', [
    ...words('-quiet -notimestamp -encoding UTF-8 -Xdoclint:all,-missing'),
    ...path,
    '-d',
    docs,
    ...files,
  ])
  const base = join(folder, `handset-client-${version}`)
  for (const [what, from] of Object.entries({ '': classes, '-sources': source, '-javadoc': docs })) {
    run('jar', [...CREATED, '--file', `${base}${what}.jar`, '-C', from, '.'])
  }
  writeFileSync(`${base}.pom`, pomFor(readFileSync(join(ROOT, 'clients/java/pom.xml'), 'utf8'), group, repository))
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    for (const hash of ['md5', 'sha1']) {
      writeFileSync(`${file}.${hash}`, createHash(hash).update(readFileSync(file)).digest('hex'))
    }
    if (key !== undefined) sign(file, key)
  }
  const zip = join(out, `handset-client-${version}-central.zip`)
  run('jar', [...CREATED, '--no-manifest', '--file', zip, '-C', join(scratch, 'bundle'), '.'])
}

const jarOf = (name: string): string => `/usr/share/java/${name}.jar`

/** What Central wants of a project beyond what a build needs, and a name that it grants to the owner of the repository. */
const pomFor = (pom: string, group: string, repository: string): string =>
  pom
    .replace(/<groupId>.*?<\/groupId>/, `<groupId>${group}</groupId>`)
    .replace(
      '  <licenses>',
      `  <url>${repository}</url>
  <developers><developer><name>The Handset authors</name><url>${repository}</url></developer></developers>
  <scm><url>${repository}</url><connection>scm:git:${repository}.git</connection></scm>
  <licenses>`,
    )
    .replace('<name>MIT</name>', '<name>MIT</name><url>https://opensource.org/license/mit</url>')

/** The command line with its own Node: that of Debian 12 is too old. */
const makeDeb = (release: Release, scratch: string): void => {
  const { out, version } = release
  const tree = join(scratch, 'tree')
  makeProgram(scratch)
  const [lib, doc] = [join(tree, 'usr/lib/handset'), join(tree, 'usr/share/doc/handset')]
  for (const folder of [join(tree, 'usr/lib'), join(tree, 'usr/bin'), join(tree, 'DEBIAN'), doc])
    mkdirSync(folder, { recursive: true })
  renameSync(join(scratch, PROGRAM), lib)
  const node = join(ROOT, 'node_modules', `node-linux-${process.arch}`)
  copyFileSync(join(node, 'bin/node'), join(lib, 'node'))
  writeFileSync(join(tree, 'usr/bin/handset'), '#!/bin/sh\nexec /usr/lib/handset/node /usr/lib/handset/bin.mjs "$@"\n')
  copyFileSync(join(node, 'LICENSE'), join(doc, 'node-LICENSE'))
  const others =
    '\nNode: node-LICENSE. Packages: /usr/lib/handset/THIRD-PARTY-LICENCES.txt and folders of node_modules.\n'
  writeFileSync(join(doc, 'copyright'), readFileSync(join(ROOT, 'LICENSE'), 'utf8') + others)
  const day = new Date(TIME).toUTCString().replace('GMT', '+0000')
  const entry = `handset (${version}) stable; urgency=medium\n\n  * ${release.repository}/releases/tag/v${version}\n\n -- The Handset authors <handset@localhost>  ${day}\n`
  writeFileSync(join(doc, 'changelog.gz'), gzipSync(entry, { level: 9 }))
  for (const name of readdirSync(tree, { recursive: true, encoding: 'utf8' })) {
    const runs = ['usr/bin/handset', 'usr/lib/handset/node'].includes(name)
    chmodSync(join(tree, name), runs || statSync(join(tree, name)).isDirectory() ? 0o755 : 0o644)
  }
  const size = run('du', ['-sk', '--apparent-size', tree]).split('\t')[0] ?? ''
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64' | 'arm64']
  const control = fill('control', release, { architecture, size })
  writeFileSync(join(tree, 'DEBIAN/control'), control)
  const deb = join(out, `handset_${version}_${architecture}.deb`)
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', tree, deb])
}

/** A file of manifests/, with the values in the places of their names. */
const fill = (template: string, { version, repository }: Release, more: Readonly<Record<string, string>>): string => {
  const values: Readonly<Record<string, string>> = { version, repository, ...more }
  return readFileSync(join(import.meta.dirname, 'manifests', template), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => {
    const value = values[name]
    if (value === undefined) throw new Error(`manifests/${template} asks for ${name}, which is not known.`)
    return value
  })
}

const writeManifests = (release: Release): void => {
  const { out, version, installer } = release
  const write = (template: string, file: string, folder: string): void => {
    mkdirSync(join(out, folder), { recursive: true })
    const values = { address: addressOf(release, file), sha256: sha256(file) }
    writeFileSync(join(out, folder, template), fill(template, release, values))
  }
  write('handset.rb', join(out, `handset-${version}.tgz`), 'homebrew')
  if (installer === undefined) return
  const copy = join(out, `handset-${version}-setup.exe`)
  copyFileSync(installer, copy)
  for (const part of ['', '.installer', '.locale.en-US']) write(`Handset.Handset${part}.yaml`, copy, 'winget')
}

const sign = (file: string, key: string): void => {
  run('gpg', ['--batch', '--armor', '--detach-sign', '--local-user', key, file])
}

const writeSums = ({ out, key }: Release): void => {
  const files = readdirSync(out, { withFileTypes: true }).filter((one) => one.isFile())
  const sums = files.map(({ name }) => `${sha256(join(out, name))}  ${name}\n`).toSorted()
  const file = join(out, 'SHA256SUMS')
  writeFileSync(file, sums.join(''))
  if (key !== undefined) sign(file, key)
}
