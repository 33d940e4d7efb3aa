import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from '../support/imports.ts'

/** What Node is linked with, where the notices of GCC's libraries are, and what names the system to those who look for known faults. */
const DEBIAN = ['libc6', 'libgcc-s1', 'libstdc++6', 'gcc-12-base', 'base-files', 'ca-certificates']
/** What the program loads and the package has not: the driver of PostgreSQL, an optional peer. */
const PACKAGES = ['pg']
/** Never read by a server. */
const UNUSED = [
  'usr/share/man',
  'usr/share/locale',
  'usr/share/lintian',
  'usr/lib/x86_64-linux-gnu/gconv',
  'usr/lib/aarch64-linux-gnu/gconv',
]
/** Debian and OCI name them alike. */
export const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
export const PROGRAM = '/opt/handset'

/** The folder below is made of Debian's packages, unpacked and never configured: no shell, no package manager. */
export const makeSystem = (target: string, scratch: string, arch: string): void => {
  mkdirSync(scratch, { recursive: true })
  // apt downloads as a user of its own.
  chmodSync(scratch, 0o777)
  const apt = (args: readonly string[]) =>
    execFileSync('apt-get', ['-qq', ...args], { cwd: scratch, stdio: ['ignore', 'ignore', 'inherit'] })
  if (arch === process.arch) apt(['download', ...DEBIAN])
  else {
    // Lists of its own, so that this machine's stay those of its architecture.
    mkdirSync(join(scratch, 'lists/partial'), { recursive: true })
    const debian = ARCHITECTURES[arch]
    const options = ['Architecture', 'Architectures'].flatMap((name) => ['-o', `APT::${name}=${debian}`])
    const own = [...options, '-o', `Dir::State::lists=${scratch}/lists`, '-o', `Dir::Cache=${scratch}/cache`]
    apt([...own, 'update'])
    apt([...own, 'download', ...DEBIAN])
  }
  mkdirSync(join(target, 'var/lib/dpkg/status.d'), { recursive: true })
  for (const file of readdirSync(scratch).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['--extract', join(scratch, file), target])
    const control = execFileSync('dpkg-deb', ['--field', join(scratch, file)], { encoding: 'utf8' })
    // Scanners know by these which versions are inside.
    writeFileSync(join(target, 'var/lib/dpkg/status.d', file.split('_')[0] ?? file), control)
  }
  for (const path of UNUSED) rmSync(join(target, path), { recursive: true, force: true })
  const node = arch === process.arch ? join(ROOT, 'node_modules', `node-linux-${arch}`) : fetchNode(scratch, arch)
  mkdirSync(join(target, 'usr/local/bin'), { recursive: true })
  mkdirSync(join(target, 'usr/share/doc/node'), { recursive: true })
  cpSync(join(node, 'bin/node'), join(target, 'usr/local/bin/node'))
  cpSync(join(node, 'LICENSE'), join(target, 'usr/share/doc/node/copyright'))
  writeFileSync(
    join(target, 'etc/passwd'),
    'root:x:0:0:root:/root:/sbin/nologin\nhandset:x:65532:65532:handset:/data:/sbin/nologin\n',
  )
  writeFileSync(join(target, 'etc/group'), 'root:x:0:\nhandset:x:65532:\n')
  // Docker puts its own in their places; others do not.
  writeFileSync(join(target, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  writeFileSync(join(target, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  for (const folder of ['tmp', 'data']) {
    mkdirSync(join(target, folder), { recursive: true })
    // Whatever user ID the container is given.
    chmodSync(join(target, folder), 0o1777)
  }
}

/** npm installs only the one for this machine; another is the one of the lock file as well. */
const fetchNode = (scratch: string, arch: string): string => {
  const name = `node-linux-${arch}`
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const { version, integrity } = packages[`node_modules/${name}`]
  const args = ['pack', '--silent', '--json', `${name}@${version}`]
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: scratch, encoding: 'utf8', maxBuffer: 1024 ** 3 }))
  if (packed.integrity !== integrity) throw new Error(`${name} ${version} is not the one of package-lock.json.`)
  execFileSync('tar', ['-xzf', packed.filename], { cwd: scratch })
  return join(scratch, 'package')
}

/** dist/package with what it needs, as `npm install handset pg` would lay it out, and nothing for other machines. */
export const makeProgram = (target: string, arch: string = process.arch): void => {
  const program = join(target, PROGRAM)
  const made = join(ROOT, 'dist/package')
  if (!existsSync(join(made, 'bin.mjs'))) throw new Error('There is no dist/package: run "npm run pack" first.')
  cpSync(made, program, { recursive: true, filter: (path) => !path.endsWith('.tgz') && !path.includes('/out/types') })
  for (const name of neededBy(PACKAGES)) {
    cpSync(join(ROOT, 'node_modules', name), join(program, 'node_modules', name), {
      recursive: true,
      dereference: true,
    })
  }
  const sqlite = join(program, 'node_modules/better-sqlite3')
  for (const name of readdirSync(join(sqlite, 'prebuilds'))) {
    if (name !== `linux-${arch}.node`) rmSync(join(sqlite, 'prebuilds', name))
  }
}

/** With what they need themselves. */
const neededBy = (names: readonly string[], found: Set<string> = new Set()): ReadonlySet<string> => {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const manifest = JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'))
    neededBy(Object.keys(manifest.dependencies ?? {}), found)
  }
  return found
}

const folderOf = (name: string): string => {
  const require = createRequire(import.meta.url)
  const below = require.resolve.paths(name)?.find((path) => existsSync(join(path, name, 'package.json')))
  if (below === undefined) throw new Error(`${name} is not installed.`)
  return join(below, name)
}
