import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../../src-main/cli/command.ts'
import { main } from '../../src-main/cli/main.ts'
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

const mirror = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

type At = Partial<Environment> & { readonly hears?: (line: string) => void }

const desktop = async (root: string, { env = {}, hears = () => undefined, ...machine }: At = {}) => {
  const out: string[] = []
  const errors: string[] = []
  const say = (text: string): void => {
    out.push(text)
    hears(text)
  }
  const environment: Environment = {
    terminal: { out: say, error: (text) => void errors.push(text), color: false, width: 100 },
    version: '0',
    root,
    env: { PATH: process.env.PATH, DISPLAY: ':0', electron_config_cache: join(root, 'cache'), ...env },
    platform: 'linux',
    stop: new AbortController().signal,
    ...machine,
  }
  return { code: await main(['desktop', '--memory'], environment), out: out.join('\n'), errors: errors.join('\n') }
}

test('[cli.desktop] a network that forbids the download is said in one line, with what to do', async () => {
  const root = checkout()
  const ELECTRON_MIRROR = await mirror((_, response) => response.writeHead(403).end())
  const { code, errors } = await desktop(root, { env: { ELECTRON_MIRROR } })
  expect(code).toBe(1)
  expect(errors.split('\n')).toHaveLength(1)
  for (const told of ['403', 'ELECTRON_MIRROR', 'HTTPS_PROXY', 'handset start']) expect(errors).toContain(told)
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
    if (line.includes('10 MB')) finish()
  }
  const { code, out, errors } = await desktop(root, { env: { ELECTRON_MIRROR }, hears })
  expect(code).toBe(1)
  expect(out).toContain('10 MB')
  expect(errors).toContain('checksum')
  expect(existsSync(join(root, 'node_modules/electron/path.txt'))).toBe(false)
})

test('[cli.desktop] a download is stopped by hand', async () => {
  const root = checkout()
  const stop = new AbortController()
  const ELECTRON_MIRROR = await mirror(() => stop.abort())
  const { code, errors } = await desktop(root, { env: { ELECTRON_MIRROR }, stop: stop.signal })
  expect(code).toBe(1)
  expect(errors).toContain('stopped')
})

test.skipIf(process.platform === 'win32')(
  '[cli.desktop] where Electron is there it opens, with the options as they were typed',
  async () => {
    const root = checkout()
    mkdirSync(join(root, 'node_modules/electron/dist'))
    writeFileSync(join(root, 'node_modules/electron/path.txt'), 'electron')
    const program = join(root, 'node_modules/electron/dist/electron')
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${root}/args'\n`)
    chmodSync(program, 0o755)
    // Not 'linux', where the kernel may deny Chromium its sandbox.
    expect(await desktop(root, { platform: 'darwin' })).toEqual({ code: 0, out: '', errors: '' })
    expect(readFileSync(join(root, 'args'), 'utf8')).toBe(`${root}\n--\n--memory\n`)
  },
)

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

test.skipIf(process.platform === 'win32')(
  '[cli.desktop] handset start says that it exists, where it used a browser',
  async () => {
    const root = checkout()
    mkdirSync(join(root, 'bin'))
    writeFileSync(join(root, 'bin/xdg-open'), '#!/bin/sh\n')
    chmodSync(join(root, 'bin/xdg-open'), 0o755)
    const start = async (isRoot: boolean) => {
      const stop = new AbortController()
      const out: string[] = []
      const environment: Environment = {
        terminal: { out: (text) => void out.push(text), error: () => undefined, color: false, width: 100 },
        version: '0',
        root,
        env: { PATH: join(root, 'bin') + delimiter, DISPLAY: ':0' },
        platform: 'linux',
        isRoot,
        onEnter: () => stop.abort(),
        stop: stop.signal,
      }
      expect(await main(['start', '--memory', '--port', '0'], environment)).toBe(0)
      return out.join('\n')
    }
    expect(await start(false)).toContain('npm run desktop')
    expect(await start(true)).not.toContain('npm run desktop')
  },
)
