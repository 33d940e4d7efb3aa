import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseWindowHost } from '../../src-main/cli/start.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A machine with these programs on its PATH. */
const machine = (programs: readonly string[] = [], electron = false) => {
  const root = temporaryFolder()
  const put = (path: string, text = ''): void => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
    chmodSync(join(root, path), 0o755)
  }
  for (const program of programs) put(join('bin', program))
  if (electron) {
    put('out/main/index.js')
    put('node_modules/electron/path.txt', 'electron')
    put('node_modules/electron/dist/electron')
  }
  const env = { DISPLAY: ':0', PATH: join(root, 'bin') }
  return { root, env, platform: 'linux' as const, isRoot: false }
}

test('Electron that was never downloaded is passed over', () => {
  const half = machine(['chromium'], true)
  rmSync(join(half.root, 'node_modules/electron/dist'), { recursive: true })
  expect(chooseWindowHost(half)).toMatchObject({
    kind: 'app-window',
    name: 'Chromium',
    why: 'Electron is not installed',
  })
})

const settingOf = (host: { readonly root: string }, name: string, value: string): string => {
  const settings = join(host.root, 'proc/sys')
  mkdirSync(join(settings, name, '..'), { recursive: true })
  writeFileSync(join(settings, name), `${value}\n`)
  return settings
}

test.each([
  ['kernel/apparmor_restrict_unprivileged_userns', '1', '0'],
  ['kernel/unprivileged_userns_clone', '0', '1'],
  ['user/max_user_namespaces', '0', '15000'],
])('Electron that gets no sandbox is passed over: %s is %s', (name, restricted, free) => {
  const host = machine(['chromium'], true)
  expect(chooseWindowHost({ ...host, settings: settingOf(host, name, restricted) })).toMatchObject({
    kind: 'app-window',
    why: expect.stringContaining('sandbox'),
  })
  expect(chooseWindowHost({ ...host, settings: settingOf(host, name, free) })).toMatchObject({ kind: 'electron' })
})

test.skipIf(process.getuid?.() !== 0)('Electron whose helper belongs to root needs no namespaces', () => {
  const host = machine(['chromium'], true)
  const settings = settingOf(host, 'user/max_user_namespaces', '0')
  const helper = join(host.root, 'node_modules/electron/dist/chrome-sandbox')
  writeFileSync(helper, '')
  chmodSync(helper, 0o4755)
  expect(chooseWindowHost({ ...host, settings })).toMatchObject({ kind: 'electron' })
})

test('Electron comes first, then a Chromium, then the default browser, which root gets at once', () => {
  const all = machine(['chromium', 'xdg-open'], true)
  expect(chooseWindowHost(all)).toMatchObject({
    kind: 'electron',
    program: expect.stringMatching(/dist[\\/]electron$/),
  })
  // Chromium would not start.
  expect(chooseWindowHost({ ...all, isRoot: true })).toMatchObject({ kind: 'browser' })
  expect(chooseWindowHost(machine(['xdg-open', 'microsoft-edge']))).toMatchObject({ kind: 'app-window', name: 'Edge' })
  expect(chooseWindowHost(machine(['xdg-open']))).toMatchObject({ kind: 'browser' })
})

test('without a display, or without any browser, there is none', () => {
  const blind = machine(['chromium', 'xdg-open'], true)
  expect(chooseWindowHost({ ...blind, env: { PATH: blind.env.PATH } })).toMatchObject({ kind: 'none' })
  expect(chooseWindowHost(machine())).toMatchObject({ kind: 'none' })
})
