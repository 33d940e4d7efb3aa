/**
 * Packs the desktop program as `npm run package` does, around an Electron on this machine, and makes the .deb with dpkg-deb:
 * fpm, which makes it otherwise, comes from GitHub. Called with the folder of Electron, what replaces packages, and where to.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../support/imports.ts'

const [electronDist = '', replacing = '', output = ''] = process.argv.slice(2)
const packer = createRequire(join(ROOT, '.ci/packer/package.json'))
const { build } = packer('electron-builder')
const { createPackageWithOptions, extractAll } = packer('@electron/asar')
const config = parse(readFileSync(join(ROOT, 'src-main/shell/electron-builder.yml'), 'utf8'))

/** In the archive, packages that this Electron cannot load are replaced; the Electron’s own program goes. */
const adapt = async ({ appOutDir }: { readonly appOutDir: string }): Promise<void> => {
  const resources = join(appOutDir, 'resources')
  const archive = join(resources, 'app.asar')
  const app = join(output, 'app')
  rmSync(join(resources, 'app'), { recursive: true })
  extractAll(archive, app)
  for (const old of [archive, `${archive}.unpacked`]) rmSync(old, { recursive: true })
  rmSync(join(app, 'node_modules/better-sqlite3'), { recursive: true })
  cpSync(replacing, join(app, 'node_modules'), { recursive: true })
  await createPackageWithOptions(app, archive, { unpack: '{**/*.node,**/*.wasm}' })
  rmSync(app, { recursive: true })
}

/** Of fpm’s arguments: options, each with its value, then files as `from=to`. */
const makeDeb = async ([args]: readonly [readonly string[]]): Promise<boolean> => {
  const first = args.findIndex((arg, place) => place % 2 === 0 && !arg.startsWith('--'))
  const option = (name: string): string => args[args.indexOf(`--${name}`) + 1] ?? ''
  const tree = join(output, 'tree')
  for (const [from = '', to = ''] of args.slice(first).map((pair) => pair.split('='))) {
    cpSync(from, join(tree, to), { recursive: true })
  }
  mkdirSync(join(tree, 'DEBIAN'))
  const fields = { Package: 'name', Version: 'version', Architecture: 'architecture', Maintainer: 'maintainer' }
  const control = Object.entries({ ...fields, Homepage: 'url', Description: 'description' })
  writeFileSync(join(tree, 'DEBIAN/control'), control.map(([field, name]) => `${field}: ${option(name)}\n`).join(''))
  for (const [script, name] of Object.entries({ postinst: 'after-install', postrm: 'after-remove' })) {
    cpSync(option(name), join(tree, 'DEBIAN', script))
    chmodSync(join(tree, 'DEBIAN', script), 0o755)
  }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, option('package')], { stdio: 'ignore' })
  rmSync(tree, { recursive: true })
  return true
}

// A linked program would have its fuses flipped in the cache, too.
process.env.USE_HARD_LINKS = 'false'
await build({
  projectDir: ROOT,
  linux: ['deb'],
  publish: 'never',
  config: { ...config, electronDist, directories: { ...config.directories, output }, afterPack: adapt },
  effectiveOptionComputed: makeDeb,
})
