import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { delimiter, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Environment } from '../../src-main/cli/command.ts'
import { heardTerminal } from '../support/heard-terminal.ts'
import { runCommand } from '../support/run-command.ts'
import { listenBriefly, serveBriefly } from '../support/serve-briefly.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const modules = join(import.meta.dirname, '../../node_modules')

/** A checkout with Electron's package, but without its program. */
const checkout = (): string => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'node_modules/electron'), { recursive: true })
  for (const name of ['install.js', 'package.json', 'checksums.json']) {
    cpSync(join(modules, 'electron', name), join(root, 'node_modules/electron', name))
  }
  for (const name of ['@electron', '@electron-internal']) {
    symlinkSync(join(modules, name), join(root, 'node_modules', name), 'junction')
  }
  mkdirSync(join(root, 'out/main'), { recursive: true })
  writeFileSync(join(root, 'out/main/index.js'), '')
  return root
}

const mirror = async (listener: RequestListener): Promise<string> => `${await serveBriefly(listener)}/`

type At = Partial<Environment> & { readonly hears?: (line: string) => void }

const desktop = async (root: string, { env = {}, hears = () => undefined, ...machine }: At = {}) => {
  const { terminal, out, errors } = heardTerminal()
  const say = (text: string): void => {
    terminal.out(text)
    hears(text)
  }
  const { code } = await runCommand(['desktop', '--memory'], undefined, {
    terminal: { ...terminal, out: say },
    root,
    env: { PATH: process.env.PATH, DISPLAY: ':0', electron_config_cache: join(root, 'cache'), ...env },
    ...machine,
  })
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}

test('[cli.desktop] a network that forbids the download is said in one line, with what to do', async () => {
  const root = checkout()
  const ELECTRON_MIRROR = await mirror((_, response) => response.writeHead(403).end())
  const { code, errors } = await desktop(root, { env: { ELECTRON_MIRROR } })
  expect(code).toBe(1)
  expect(errors.split('\n')).toHaveLength(1)
  for (const told of ['403', 'ELECTRON_MIRROR', 'HTTPS_PROXY', 'npm start']) expect(errors).toContain(told)
})

test('[cli.desktop] it says how much has come, and installs nothing but what Electron has published', async () => {
  const root = checkout()
  let finish = (): void => undefined
  const ELECTRON_MIRROR = await mirror((_, response) => {
    // Nothing more comes until the first ten megabytes were told.
    response.write(Buffer.alloc(12_000_000))
    finish = () => response.end()
  })
  const hears = (line: string): void => {
    if (line.includes('10 of')) finish()
  }
  const { code, out, errors } = await desktop(root, { env: { ELECTRON_MIRROR }, hears })
  expect(code).toBe(1)
  expect(out).toContain('10 of')
  expect(out).toContain(join(root, 'node_modules/electron/dist'))
  expect(errors).toContain('checksum')
  expect(existsSync(join(root, 'node_modules/electron/path.txt'))).toBe(false)
})

test('[cli.desktop] it downloads by the proxy that HTTPS_PROXY names', async () => {
  const asked: string[] = []
  const server = createServer().on('connect', ({ url = '' }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  const HTTPS_PROXY = `http://127.0.0.1:${await listenBriefly(server)}/`
  const env = { HTTPS_PROXY, ELECTRON_MIRROR: 'https://electron.invalid/' }
  expect((await desktop(checkout(), { env })).code).toBe(1)
  expect(asked).toEqual(['electron.invalid:443'])
})

/** A zip archive of programs, uncompressed (APPNOTE 4.3). */
const zipOf = (files: Readonly<Record<string, string>>): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  for (const [name, text] of Object.entries(files)) {
    const [label, body] = [Buffer.from(name), Buffer.from(text)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(body), 10)
    for (const at of [14, 18]) common.writeUInt32LE(body.length, at)
    common.writeUInt16LE(label.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(0o100755 * 0x10000, 6)
    rest.writeUInt32LE(Buffer.concat(parts).length, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x03'), common, rest, label)
    parts.push(Buffer.from('PK\x03\x04'), common, label, body)
  }
  const [all, index] = [Buffer.concat(parts), Buffer.concat(directory)]
  const end = Buffer.alloc(18)
  for (const at of [4, 6]) end.writeUInt16LE(Object.keys(files).length, at)
  end.writeUInt32LE(index.length, 8)
  end.writeUInt32LE(all.length, 12)
  return Buffer.concat([all, index, Buffer.from('PK\x05\x06'), end])
}

test.skipIf(process.platform === 'win32')('[cli.desktop] it installs what a mirror’s sums confirm', async () => {
  const root = checkout()
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'))
  const program = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'
  const archive = zipOf({ [program]: `#!/bin/sh\nprintf '%s\\n' "$@" > '${root}/args'\n`, version })
  const name = `electron-v${version}-${process.platform}-${process.arch}.zip`
  const sums = `${createHash('sha256').update(archive).digest('hex')} *${name}\n`
  const served = new Map<string, string | Buffer>([
    [`/v${version}/${name}`, archive],
    [`/v${version}/SHASUMS256.txt`, sums],
  ])
  const ELECTRON_MIRROR = await mirror(({ url = '' }, response) => {
    const body = served.get(url)
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  const env = { ELECTRON_MIRROR, electron_use_remote_checksums: '1' }
  // Not 'linux', where the kernel may deny Chromium its sandbox.
  expect(await desktop(root, { env, platform: 'darwin' })).toMatchObject({ code: 0, errors: '' })
  expect(readFileSync(join(root, 'args'), 'utf8')).toBe(`${root}\n--\n--memory\n`)
})

test('[cli.desktop] a download is stopped by hand', async () => {
  const root = checkout()
  const stop = new AbortController()
  const ELECTRON_MIRROR = await mirror(() => stop.abort())
  const { code, errors } = await desktop(root, { env: { ELECTRON_MIRROR }, stop: stop.signal })
  expect(code).toBe(1)
  expect(errors).toContain('stopped')
})

test.skipIf(process.platform === 'win32')('[cli.desktop] Electron opens with the options as typed', async () => {
  const root = checkout()
  mkdirSync(join(root, 'node_modules/electron/dist'))
  writeFileSync(join(root, 'node_modules/electron/path.txt'), 'electron')
  const program = join(root, 'node_modules/electron/dist/electron')
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${root}/args'\n`)
  chmodSync(program, 0o755)
  // Not 'linux', where the kernel may deny Chromium its sandbox.
  expect(await desktop(root, { platform: 'darwin' })).toEqual({ code: 0, out: '', errors: '' })
  expect(readFileSync(join(root, 'args'), 'utf8')).toBe(`${root}\n--\n--memory\n`)
})

test('[cli.desktop] what stands in its way is said before anything is downloaded', async () => {
  const asked: string[] = []
  const ELECTRON_MIRROR = await mirror(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(403).end()
  })
  const root = checkout()
  expect((await desktop(root, { env: { ELECTRON_MIRROR, DISPLAY: undefined } })).errors).toContain('no display')
  expect((await desktop(root, { env: { ELECTRON_MIRROR }, isRoot: true })).errors).toContain('root')
  rmSync(join(root, 'node_modules/electron'), { recursive: true })
  expect((await desktop(root)).errors).toContain('npm ci')
  expect(asked).toEqual([])
})

test.skipIf(process.platform === 'win32')('[cli.desktop] handset start names it where it used a browser', async () => {
  const root = checkout()
  mkdirSync(join(root, 'bin'))
  writeFileSync(join(root, 'bin/xdg-open'), '#!/bin/sh\n')
  chmodSync(join(root, 'bin/xdg-open'), 0o755)
  const start = async (isRoot: boolean) => {
    const stop = new AbortController()
    const { code, out } = await runCommand(['start', '--memory', '--port', '0'], undefined, {
      root,
      env: { PATH: join(root, 'bin') + delimiter, DISPLAY: ':0' },
      isRoot,
      onEnter: () => stop.abort(),
      stop: stop.signal,
    })
    expect(code).toBe(0)
    return out
  }
  expect(await start(false)).toContain('npm run desktop')
  expect(await start(true)).not.toContain('npm run desktop')
})
