import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { fitColumn, fitName, fitPath, paintFor, toPrintable, wantsColor } from '../../src-main/cli/terminal.ts'
import { runCommand } from '../support/run-command.ts'

test.each([
  ['a title for the window', '\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['a clear screen', '\u001b[2J\u001b[H', '\\u001b[2J\\u001b[H'],
  ['C1 forms of the same', '\u009b2J', '\\u009b2J'],
  ['text that is hidden', '\u001b[8mhidden', '\\u001b[8mhidden'],
  ['a line that is written over', 'failed\rpassed', 'failed\\u000dpassed'],
  ['a text that is shown backwards', 'a\u202egpj.exe\u2066', 'a\\u202egpj.exe\\u2066'],
  ['a line end of Unicode', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
  ['a name that only looks like another', 'ad\u200bmin\u2060\ufeff\u00ad', 'ad\\u200bmin\\u2060\\ufeff\\u00ad'],
  ['a joiner with nothing to join', 'ad\u200dmin \u200c', 'ad\\u200dmin \\u200c'],
  ['letters that are taken back', 'failed\b\b\u007f', 'failed\\u0008\\u0008\\u007f'],
])('%s has no effect on the terminal, and can be read', (_title, text, shown) => {
  expect([true, false].map((color) => toPrintable(text, { color }))).toEqual([shown, shown])
})

test('lines, tabs and every letter stay as they are', () => {
  const text = 'a\n\tb [31m ünï 漢字 😀 👩‍👩‍👧 ❤️‍🔥 می\u200cخواهم'
  expect(toPrintable(text, { color: true })).toBe(text)
})

test('colors are shown where there are colors', () => {
  const painted = Object.values(paintFor({ color: true })).map((paint) => paint('x'))
  expect(painted.map((text) => toPrintable(text, { color: true }))).toEqual(painted)
  expect(toPrintable(painted[0] ?? '', { color: false })).not.toMatch(/[^\P{Cc}\n]/u)
})

test.each([
  ['abc', 'abc   ', 'abc   '],
  ['abcdefgh', 'abcde…', '…defgh'],
  ['用户登录', '用户… ', '…登录 '],
  ['用户', '用户  ', '用户  '],
  ['❤️❤️❤️', '❤️❤️❤️', '❤️❤️❤️'],
  ['❤️‍🔥1️⃣x❤️', '❤️‍🔥1️⃣x…', '…1️⃣x❤️'],
  ['a\u202e', 'a\\u20…', '…u202e'],
  ['👩‍👩‍👧e\u0301🔑', '👩‍👩‍👧e\u0301🔑 ', '👩‍👩‍👧e\u0301🔑 '],
])('%s takes as many columns as it is told, whatever its letters are', (text, cut, path) => {
  expect([fitColumn(text, 6), fitPath(text, 6)]).toEqual([cut, path])
})

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '3', NO_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '', NO_COLOR: '' }, true, true],
])('with %j, where a person reads it: %j, there are colors: %j', (env, isLive, colors) => {
  expect(wantsColor(env, isLive)).toBe(colors)
})

test('where there is no room, nothing but the ellipsis is left', () => {
  expect([fitColumn('用户', 1), fitPath('用户', 1), fitColumn('', -1)]).toEqual(['…', '…', ''])
  // The column that is left before a wide character stays empty.
  expect(fitPath('/文文.yaml', 7)).toBe('….yaml ')
})

test('two names that differ at their ends stay apart where they are cut', () => {
  const names = [
    'A sign-in by push is refused while the network is slow: ES256',
    'A sign-in by push is refused while the network is slow: RS512',
  ]
  const cut = names.map((name) => fitName(name, 30))
  expect(cut).toEqual(['A sign-in by pu…is slow: ES256', 'A sign-in by pu…is slow: RS512'])
  expect([fitName('abc', 6), fitName('用户登录页面', 7), fitName('ab', 1)]).toEqual(['abc   ', '用户…面', '…'])
})

test('a line of handset inspect fits the terminal, whatever its invisible and wide characters', async () => {
  const origin = `https://${'\u202e用'.repeat(20)}.example`
  const clientData = JSON.stringify({ type: 'webauthn.get', challenge: 'AAAA', origin })
  const { out } = await runCommand(['inspect'], undefined, { input: Readable.from([Buffer.from(clientData)]) })
  const [line = ''] = out.split('\n').filter((each) => each.includes('用'))
  expect(line).toBe(fitColumn(line, 100).trimEnd())
  expect(line).toMatch(/\\u202e用.*…$/)
})
