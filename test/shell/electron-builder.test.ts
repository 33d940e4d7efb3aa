import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { LINK_SCHEME } from '../../src-main/shell/handset-link.ts'

const root = join(import.meta.dirname, '../..')
const config = parse(readFileSync(join(root, 'src-main/shell/electron-builder.yml'), 'utf8'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Width and height, as the file's head has them (ISO/IEC 15948 §11.2.1). */
const sizeOf = (name: string): readonly [number, number] => {
  const png = readFileSync(join(root, 'src-main/shell/resources', name))
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

it('the packed program has every fuse set that keeps other code out of it', () => {
  expect(config.electronFuses).toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  })
})

it('the packed program is one archive, with native code and wasm beside it', () => {
  expect(config.asar).toBe(true)
  expect(config.asarUnpack).toEqual([
    'node_modules/better-sqlite3/prebuilds/*.node',
    'node_modules/zxing-wasm/**/*.wasm',
  ])
})

it('the packed program takes along the binary of its own platform and what was built, and compiles nothing', () => {
  expect(config.files).toContain('out/{main,preload,renderer}/**')
  expect(config.files.join('\n')).toMatch(/^node_modules\/better-sqlite3\/prebuilds\/\$\{platform\}-\$\{arch\}\.node$/m)
  expect(config.npmRebuild).toBe(false)
  for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64']) {
    expect(existsSync(join(root, `node_modules/better-sqlite3/prebuilds/${platform}.node`))).toBe(true)
  }
})

it('the packed program takes no Node along: Electron is one', () => {
  const [left = ''] = config.files.filter((pattern: string) => pattern.startsWith('!node_modules/node-{'))
  const names = /\{(.+)\}/.exec(left)?.[1]?.split(',') ?? []
  const packages = Object.keys(manifest.optionalDependencies)
  expect(packages.filter((name) => !names.some((part) => name.startsWith(`node-${part}-`)))).toEqual([])
})

it('the packed program is known to Linux by a name in reverse DNS, which its menu entry has, too', () => {
  expect(config.extraMetadata.desktopName).toMatch(/^[a-z]+(\.[A-Za-z]+){2}\.desktop$/)
  expect(config.linux.syncDesktopName).toBe(true)
})

it('the packed program registers the links that it follows, and the traces that it opens', () => {
  expect(config.protocols.flatMap(({ schemes }: { schemes: string[] }) => schemes)).toEqual([LINK_SCHEME])
  expect(config.fileAssociations).toMatchObject([{ ext: 'handset', role: 'Viewer' }])
})

it('the packed program is started with its sandbox on, and is sent nowhere', () => {
  expect(config.linux.executableArgs).toEqual([])
  expect(JSON.stringify(config)).not.toContain('no-sandbox')
  expect(config.publish).toBeNull()
})

it('the packed program has its pictures in the sizes that the systems ask for', () => {
  expect(sizeOf('icon.png')).toEqual([1024, 1024])
  for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) {
    expect(sizeOf(join(config.linux.icon, `${size}x${size}.png`))).toEqual([size, size])
  }
  expect(sizeOf('tray.png')).toEqual([32, 32])
  expect(sizeOf('tray@2x.png')).toEqual([64, 64])
  expect(sizeOf('trayTemplate.png')).toEqual([16, 16])
  expect(sizeOf('trayTemplate@2x.png')).toEqual([32, 32])
})

it('the packed program is made by a tree of packages of which each is pinned, and none runs a script', () => {
  const packer = join(root, '.ci/packer')
  expect(manifest.scripts.package).toContain('npm ci --prefix .ci/packer && node .ci/packer/node_modules/')
  const { '': own, ...locked } = JSON.parse(readFileSync(join(packer, 'package-lock.json'), 'utf8')).packages
  expect(own.devDependencies).toEqual({ 'electron-builder': expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  const entries = Object.entries<{ integrity?: string; resolved?: string }>(locked)
  expect(entries.filter(([, { integrity }]) => integrity === undefined)).toEqual([])
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  expect(readFileSync(join(packer, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
})

it('the workflow plays the desktop program’s list in the Electron that ships, once better-sqlite3 was loaded alone', () => {
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8'))
  const commands = jobs.window.steps.map(({ run = '' }) => run).join('\n')
  expect(commands).toMatch(/require\('better-sqlite3'\)[\s\S]+npm run test:desktop/)
  expect(JSON.stringify(jobs.window.steps)).toContain('"HANDSET_DESKTOP_ELECTRON":"shipped"')
})
