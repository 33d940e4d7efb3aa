import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'
import { expect, test } from 'vitest'
import { APP_IDENTITY, registerLinks, setAppIdentity } from '../../src-main/shell/registration.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Writes down what it is told. */
const system = ({ isPackaged = true, owner = '' } = {}) => {
  const told: unknown[][] = []
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void told.push([name, ...args])
  const app = {
    isPackaged,
    setName: note('name'),
    setAppUserModelId: note('model'),
    setToastActivatorCLSID: note('activator'),
    getApplicationNameForProtocol: () => owner,
    setAsDefaultProtocolClient: note('links'),
  }
  return { app: app as unknown as App, told }
}

test('a checkout has another name and model than the installed program, and leaves its activator alone', () => {
  const [packed, checkout] = [system(), system({ isPackaged: false })]
  setAppIdentity(packed.app)
  setAppIdentity(checkout.app)
  expect(packed.told.map(([name]) => name)).toEqual(['name', 'model', 'activator'])
  expect(checkout.told.map(([name]) => name)).toEqual(['name', 'model'])
  for (const at of [0, 1]) expect(checkout.told[at]).not.toEqual(packed.told[at])
})

test('an Electron that knows no activator is asked for none', () => {
  const { app, told } = system()
  Object.assign(app, { setToastActivatorCLSID: undefined })
  setAppIdentity(app)
  expect(told).toHaveLength(2)
})

test('links are taken once for each version and place, and whenever no program has them', () => {
  const file = join(temporaryFolder(), 'desktop', 'registered.json')
  const registered = (owner: string, change = {}): boolean => {
    const { app, told } = system({ owner })
    registerLinks(app, { version: '1.0.0', program: '/opt/handset', file, ...change })
    return told.length > 0
  }
  expect(registered('Another')).toBe(true)
  expect(registered('Another')).toBe(false)
  expect(registered('')).toBe(true)
  expect(registered('Another', { version: '1.0.1' })).toBe(true)
  expect(registered('Another', { version: '1.0.1' })).toBe(false)
  expect(registered('Another', { version: '1.0.1', program: '/home/handset' })).toBe(true)
})

test('an uninstalled program leaves neither its links, unless another has them, nor its activator; an updated one keeps both', () => {
  const root = join(import.meta.dirname, '../..')
  const file = /include: (.+)/.exec(readFileSync(join(root, 'src-main/shell/electron-builder.yml'), 'utf8'))?.[1] ?? ''
  const script = readFileSync(join(root, file), 'utf8')
  const [, whole = ''] = /!macro customUnInstall\n(.+)!macroend/s.exec(script) ?? []
  expect(whole.trim()).toMatch(/^\$\{ifNot\} \$\{isUpdated\}\n.+\n {2}\$\{endIf\}$/s)
  expect(whole).toMatch(/ \$\{if\} \$R0 == \$R1\n +DeleteRegKey HKCU "Software\\Classes\\handset"\n +\$\{endIf\}/)
  expect(whole).toContain(`DeleteRegKey HKCU "Software\\Classes\\CLSID\\${APP_IDENTITY.packaged.activator}"`)
})
