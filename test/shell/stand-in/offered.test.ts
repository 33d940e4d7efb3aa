import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { app } from './app.ts'
import * as desktop from './desktop.ts'
import { isReady } from './machine.ts'
import { OFFERED } from './offered.ts'
import { RULES } from './rules.ts'
import { BrowserWindow, session } from './window.ts'

const types = readFileSync(join(import.meta.dirname, '../../../node_modules/electron/electron.d.ts'), 'utf8')

/** What Electron's type definitions say of a class or an interface, with what it inherits. */
const blockOf = (name: string): string => {
  const found = new RegExp(
    `^  (?:class|interface) ${name}(?: extends (\\w+))?[^\\n]*\\{\\n([\\s\\S]*?)\\n  \\}`,
    'm',
  ).exec(types)
  if (found === null) return ''
  const [, parent, body = ''] = found
  return parent === undefined || parent.endsWith('EventEmitter') ? body : body + blockOf(parent)
}

const offers = (name: string, members: readonly string[]): readonly string[] => {
  const block = blockOf(name)
  expect(block, name).not.toBe('')
  return members.filter((member) => !new RegExp(`^\\s+(?:static |readonly )*${member}[(?:<]`, 'm').test(block))
}

test.each([...OFFERED].map(([name, members]) => [name, [...members]] as const))(
  'the stand-in offers nothing of %s that Electron lacks',
  (name, members) => {
    expect(members.length).toBeGreaterThan(0)
    expect(offers(name, members)).toEqual([])
  },
)

test('a member that Electron lacks would be found', () => {
  expect(offers('App', ['quit', 'quitGently'])).toEqual(['quitGently'])
})

test('every event that the stand-in emits is one of Electron’s', () => {
  const text = readdirSync(import.meta.dirname)
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('\n')
  const emitted = [...text.matchAll(/(?:this|app|contents|webContents)\.emit\('([a-z-]+)'/g)].map(
    ([, name = '']) => name,
  )
  expect(emitted.length).toBeGreaterThan(10)
  expect(emitted.filter((name) => !types.includes(`on(event: '${name}'`))).toEqual([])
})

test('what Electron refuses before it is ready is refused', () => {
  expect(isReady()).toBe(false)
  for (const [use, rule] of [
    [() => new desktop.Tray(''), 'tray.ready'],
    [() => new desktop.Notification(), 'notification.ready'],
    [() => new BrowserWindow(), 'window.ready'],
    [() => desktop.globalShortcut.register('A', () => undefined), 'shortcut.ready'],
    [() => session.defaultSession, 'session.ready'],
    [() => desktop.screen.getAllDisplays(), 'screen.ready'],
    [() => app.setPath('userData', join(import.meta.dirname, 'nowhere')), 'path.exists'],
    [() => desktop.Menu.buildFromTemplate([{}]), 'menu.item'],
  ] as const) {
    expect(use, rule).toThrow(RULES[rule])
  }
})
