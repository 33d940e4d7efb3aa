import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { makeRelease } from '../release/release-parts.ts'
import { ROOT } from '../support/imports.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const repository = 'https://github.com/Example/handset'
const address = (file: string): string => `${repository}/releases/download/v${version}/${file}`
const folder = folderOfFile()
const out = join(folder, 'out')
const text = (path: string): string => readFileSync(join(out, path), 'utf8')
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: out, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const lines = (of: string): readonly string[] => of.trim().split('\n')
const sums = (): ReadonlyMap<string, string> =>
  new Map(lines(text('SHA256SUMS')).map((line) => [line.slice(66), line.slice(0, 64)]))
const winget = (part: string) => parse(text(`winget/Handset.Handset${part}.yaml`))

const needed = ['dpkg-deb', 'gpg', 'jar', 'javadoc', 'python3'].map((name) => `/usr/bin/${name}`)

describe.skipIf(needed.some((path) => !existsSync(path)))('a release', () => {
  beforeAll(() => {
    const home = join(folder, 'keys')
    mkdirSync(home, { mode: 0o700 })
    mkdirSync(out)
    vi.stubEnv('GNUPGHOME', home)
    const user = ['--quick-generate-key', 'Release <release@example.com>']
    run('gpg', '--batch', '--passphrase', '', ...user, 'ed25519', 'sign', 'never')
    const installer = join(folder, 'Handset Setup.exe')
    writeFileSync(installer, 'Made on Windows')
    makeRelease({ version, out, repository, installer, key: 'release@example.com' })
    return () => {
      spawnSync('gpgconf', ['--kill', 'gpg-agent'])
    }
  }, 240_000)

  test('every file is in SHA256SUMS, and the signature of that is valid for nothing else', () => {
    const files = readdirSync(out, { withFileTypes: true }).filter((one) => one.isFile())
    const names = files.map(({ name }) => name).filter((name) => !name.startsWith('SHA256SUMS'))
    expect([...sums().keys()].toSorted()).toEqual(names.toSorted())
    run('sha256sum', '--check', '--strict', 'SHA256SUMS')
    run('gpg', '--verify', 'SHA256SUMS.asc', 'SHA256SUMS')
    const changed = join(folder, 'changed')
    copyFileSync(join(out, 'SHA256SUMS'), changed)
    appendFileSync(changed, '\n')
    expect(() => run('gpg', '--verify', 'SHA256SUMS.asc', changed)).toThrow('BAD signature')
  })

  test('the SBOM has the packages that are inside or installed, in the versions of the lock file', () => {
    const { components, dependencies, metadata } = JSON.parse(text(`handset-${version}.cdx.json`))
    expect(metadata.component).toMatchObject({ name: 'handset', version })
    const names: readonly string[] = components.map((one: { name: string }) => one.name)
    expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'react', 'typebox', 'zxing-wasm']))
    for (const name of ['electron', 'fido2-lib', 'pg', 'vitest']) expect(names).not.toContain(name)
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
    for (const { name, version: theirs } of components) {
      const found = Object.entries<{ version: string; dev?: boolean }>(packages).filter(
        ([at, one]) => at === `node_modules/${name}` || (at.endsWith(`/node_modules/${name}`) && !one.dev),
      )
      const versions = found.map(([, one]) => one.version)
      expect(versions, name).toContain(theirs)
    }
    const refs = new Set([`handset@${version}`, ...components.map((one: { 'bom-ref': string }) => one['bom-ref'])])
    for (const { ref, dependsOn } of dependencies) for (const one of [ref, ...dependsOn]) expect(refs).toContain(one)
  })

  test('the wheel installs, and the source distribution has its tests’ subject and the licence', () => {
    const site = join(folder, 'site')
    const install = '-m pip install -q --no-index --no-deps --target'.split(' ')
    run('/usr/bin/python3', ...install, site, `handset-${version}-py3-none-any.whl`)
    const place = `import sys; sys.path.insert(0, ${JSON.stringify(site)}); import handset; print(handset.__file__)`
    expect(run('/usr/bin/python3', '-I', '-c', place).trim()).toBe(join(site, 'handset/__init__.py'))
    const listed = run('tar', '-tzf', `handset-${version}.tar.gz`)
    for (const name of ['LICENSE', 'pyproject.toml', 'src/handset/py.typed']) expect(listed).toContain(`/${name}\n`)
  })

  test('the bundle for Maven Central has what Central checks: sums, signatures, sources, javadoc and a whole pom', () => {
    const bundle = join(folder, 'bundle')
    mkdirSync(bundle)
    execFileSync('jar', ['--extract', '--file', join(out, `handset-client-${version}-central.zip`)], { cwd: bundle })
    const place = join(bundle, 'io/github/example/handset-client', version)
    const base = `handset-client-${version}`
    const files = [`${base}.jar`, `${base}-sources.jar`, `${base}-javadoc.jar`, `${base}.pom`]
    const all = files.flatMap((name) => ['', '.asc', '.md5', '.sha1'].map((end) => name + end))
    expect(readdirSync(place).toSorted()).toEqual(all.toSorted())
    for (const name of files) {
      run('gpg', '--verify', join(place, `${name}.asc`), join(place, name))
      expect(run('sha1sum', join(place, name))).toContain(readFileSync(join(place, `${name}.sha1`), 'utf8'))
    }
    const pom = readFileSync(join(place, `${base}.pom`), 'utf8')
    for (const part of ['name', 'description', 'url', 'licenses', 'developers', 'scm'])
      expect(pom).toMatch(new RegExp(`^ {2}<${part}>`, 'm'))
    expect(pom).toContain('<groupId>io.github.example</groupId>')
    expect(run('jar', '--list', '--file', join(place, `${base}-sources.jar`))).toContain('local/handset/Phone.java')
    const listed = run('javap', '-cp', join(place, `${base}.jar`), 'local.handset.Phone')
    expect(listed).toContain('class local.handset.Phone')
  })

  test('the Debian package has the command with its own Node, and every file belongs to root', () => {
    const [deb = ''] = [...sums().keys()].filter((name) => name.endsWith('.deb'))
    expect(run('dpkg-deb', '--field', deb, 'Package', 'Version')).toBe(`Package: handset\nVersion: ${version}\n`)
    expect(lines(run('dpkg-deb', '--contents', deb)).filter((line) => !line.includes(' root/root '))).toEqual([])
    run('dpkg-deb', '--extract', deb, join(folder, 'deb'))
    expect(readFileSync(join(folder, 'deb/usr/bin/handset'), 'utf8')).toContain('exec /usr/lib/handset/node ')
    const lib = join(folder, 'deb/usr/lib/handset')
    const scenario = join(lib, 'src-main/testing/scenario/examples/registration/by-qr-code.yaml')
    expect(run(join(lib, 'node'), join(lib, 'bin.mjs'), 'run', scenario, '--out', join(folder, 'results'))).toContain(
      'passed  7 steps',
    )
  })

  test('the formula and the files for winget have addresses of the release and sums of its files', () => {
    const formula = text('homebrew/handset.rb')
    const tarball = `handset-${version}.tgz`
    const [, url, sum] = /^ {2}url "(.*)"\n {2}sha256 "(.*)"$/m.exec(formula) ?? []
    expect([url, sum]).toEqual([address(tarball), sums().get(tarball)])
    if (existsSync('/usr/bin/ruby')) expect(run('ruby', '-c', 'homebrew/handset.rb')).toContain('Syntax OK')
    const setup = `handset-${version}-setup.exe`
    expect(winget('.installer').Installers).toEqual([
      { Architecture: 'x64', InstallerUrl: address(setup), InstallerSha256: sums().get(setup) },
    ])
    const parts = ['', '.installer', '.locale.en-US'].map(winget)
    expect(parts.map(({ PackageIdentifier, PackageVersion }) => [PackageIdentifier, PackageVersion])).toEqual(
      Array(3).fill(['Handset.Handset', version]),
    )
    expect(parts.map(({ ManifestType }) => ManifestType)).toEqual(['version', 'installer', 'defaultLocale'])
  })
})

test.each([
  ['a version that the manifests do not have', ['--version', '9.9.9', '--out', folder, '--repository', repository], 1],
  ['a repository that is no address', ['--version', version, '--out', folder, '--repository', 'here'], 2],
  ['no folder', ['--version', version, '--repository', repository], 2],
])('%s is refused before anything is made', (_, args, code) => {
  const program = join(ROOT, 'test/release/make-release.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: code, stdout: '' })
  expect(stderr).not.toMatch(/^ {4}at /m)
})
