import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { app } from './app.ts'
import * as desktop from './desktop.ts'
import { isReady } from './machine.ts'
import { RULES } from './rules.ts'
import { session } from './session.ts'
import { BrowserWindow } from './window.ts'

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

const OURS = new Set(['constructor', 'length', 'name', 'prototype'])
const membersOf = (value: object): readonly string[] =>
  Object.getOwnPropertyNames(value).filter((name) => !OURS.has(name))

test.each([
  ['App', [...membersOf(Object.getPrototypeOf(app)), 'commandLine']],
  ['CommandLine', membersOf(app.commandLine)],
  ['BrowserWindow', [...membersOf(BrowserWindow.prototype), 'id', 'webContents']],
  ['Menu', membersOf(desktop.Menu).filter((name) => name !== 'clickIn')],
  ['Tray', membersOf(desktop.Tray.prototype)],
  ['Notification', [...membersOf(desktop.Notification.prototype), ...membersOf(desktop.Notification), 'title', 'body']],
  ['GlobalShortcut', membersOf(desktop.globalShortcut)],
  ['Shell', membersOf(desktop.shell)],
  ['SystemPreferences', membersOf(desktop.systemPreferences)],
  ['DesktopCapturer', membersOf(desktop.desktopCapturer)],
  ['Screen', membersOf(desktop.screen)],
  ['Dialog', membersOf(desktop.dialog)],
])('the stand-in offers nothing of %s that Electron lacks', (name, members) => {
  expect(members.length).toBeGreaterThan(0)
  expect(
    offers(
      name,
      members.filter((member) => member !== 'picture'),
    ),
  ).toEqual([])
})

test('a member that Electron lacks would be found', () => {
  expect(offers('App', ['quit', 'quitGently'])).toEqual(['quitGently'])
})

test('every event that the stand-in emits is one of Electron’s', () => {
  const text = readdirSync(import.meta.dirname)
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('\n')
  const emitted = [...text.matchAll(/(?:this|app|contents)\.emit\('([a-z-]+)'/g)].map(([, name = '']) => name)
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
    [() => app.setPath('userData', '/nowhere/at/all'), 'path.exists'],
    [() => app.setPath('everything', '/'), 'path.name'],
  ] as const) {
    expect(use, rule).toThrow(RULES[rule].says)
  }
})
