import { expect, it } from 'vitest'
import { type KeyPress, keysOf, matchChord } from '../../src-renderer/palette/chords.ts'
import { COMMANDS, isAvailableIn } from '../../src-renderer/palette/commands.ts'
import type { CommandContext } from '../../src-renderer/palette/desk.ts'
import { entriesOf, findEntries } from '../../src-renderer/palette/entries.ts'
import { fuzzyMatch } from '../../src-renderer/palette/fuzzy.ts'
import { commandFor, type Place } from '../../src-renderer/palette/shortcuts.ts'
import { texts } from '../../src-renderer/ui/texts.ts'

const best = (query: string, texts: readonly string[]): string | undefined =>
  texts
    .flatMap((text) => {
      const match = fuzzyMatch(query, text)
      return match === undefined ? [] : [{ text, score: match.score }]
    })
    .sort((a, b) => b.score - a.score)[0]?.text

const marked = (query: string, text: string): string =>
  [...text]
    .map((char, i) => (fuzzyMatch(query, text)?.at.includes(i) ? char.toUpperCase() : char.toLowerCase()))
    .join('')

it.each([
  ['tks', true],
  ['TAKE  A', true],
  ['takesnap', true],
  ['skt', false],
  ['snapshots', false],
])('the search finds the characters of %s in their order, whatever their case: %s', (query, found) => {
  expect(fuzzyMatch(query, 'Take a snapshot') !== undefined).toBe(found)
})

it('the search prefers the beginnings of words, characters that follow each other, and what stands early', () => {
  expect(marked('ts', 'Take a snapshot')).toBe('Take a Snapshot')
  expect(marked('lock', 'Let the clock run')).toBe('let the cLOCK run')
  expect(best('fc', ['Filter, active', 'Freeze the clock'])).toBe('Freeze the clock')
  expect(best('scan', ['Sign Carla in', 'Scan with the phone'])).toBe('Scan with the phone')
  expect(best('con', ['Go to console', 'Console'])).toBe('Console')
})

it('the search finds everything when nothing is asked for', () => {
  expect(fuzzyMatch('', 'Bench')).toEqual({ score: 0, at: [] })
  expect(fuzzyMatch('  ', 'Bench')).toEqual({ score: 0, at: [] })
})

/** A key that was pressed alone, unless said otherwise. */
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

it.each([
  ['S', press('S', { shiftKey: true }), 0],
  ['?', press('?', { shiftKey: true }), 0],
  ['Shift+F6', press('F6', { shiftKey: true }), 0],
  ['Mod+K', press('k', { metaKey: true }), 0],
  ['Alt+1–9', press('3', { altKey: true }), 2],
  ['Alt+1–9', press('¡', { altKey: true, code: 'Digit1' }), 0],
  ['S', press('s', { ctrlKey: true }), undefined],
  ['S', press('s', { metaKey: true }), undefined],
  ['S', press('s', { altKey: true }), undefined],
  ['S', press('Shift', { shiftKey: true }), undefined],
  ['F6', press('F6', { shiftKey: true }), undefined],
  ['Mod+K', press('k'), undefined],
  ['Mod+K', press('k', { ctrlKey: true, altKey: true }), undefined],
  ['Alt+1–9', press('0', { altKey: true }), undefined],
  ['Alt+1–9', press('3'), undefined],
  ['Alt+1–9', press('–', { altKey: true }), undefined],
  ['Space', press('s'), undefined],
])('a chord: %s beside what is pressed tells which of its keys it is, if any', (chord, pressed, nth) => {
  expect(matchChord(chord, pressed)).toBe(nth)
})

it('a chord is printed as on the keyboard', () => {
  expect(keysOf('Mod+K', false)).toEqual(['Ctrl', 'K'])
  expect(keysOf('Mod+K', true)).toEqual(['⌘', 'K'])
  expect(keysOf('Alt+1–9', true)).toEqual(['⌥', '1–9'])
  expect(keysOf('ArrowLeft', false)).toEqual(['←'])
  expect(keysOf('/', false)).toEqual(['/'])
})

const ALL_MARKS: readonly string[] = [
  ...['scan', 'touch', 'reject', 'inspect', 'pause', 'live', 'present', 'filter'],
  ...['copy-code', 'copy-json', 'copy-hex', 'compare'],
]

const deskWith = (more: Partial<CommandContext> & { readonly marks?: readonly string[] } = {}) => {
  const done: string[] = []
  const say = (text: string) => {
    done.push(text)
    return true
  }
  const { marks = ALL_MARKS, ...rest } = more
  const desk: CommandContext = {
    scene: 'bench',
    phones: [],
    clock: undefined,
    user: { rpId: 'rp_1', userId: 'u-1', username: 'alice' },
    page: 'page-1',
    can: (id) => marks.includes(id),
    run: (id) => say(`run ${id}`),
    present: () => say('present'),
    connect: () => say('connect'),
    focusPhone: (index) => say(`phone ${index}`),
    focusPane: (by) => say(`pane ${by}`),
    go: (screen) => say(`go ${screen}`),
    open: (overlay) => say(`open ${overlay}`),
    ask: () => say('ask'),
    copy: () => say('copy'),
    ...rest,
  }
  return { desk, done }
}

const bench: Place = { scene: 'bench', dialog: false, typing: false, pressable: false }
const idOf = (pressed: KeyPress, place: Place = bench) => commandFor(pressed, place)?.command.id

it('the table of commands names each command once, and each name is a command', () => {
  expect(COMMANDS.map(({ id }) => id).sort()).toEqual(Object.keys(texts.palette.names).sort())
})

it('the table of commands has one for the link to what is shown, on every screen', () => {
  for (const scene of ['bench', 'presenter', 'trace'] as const)
    expect(entriesOf(deskWith({ scene }).desk).map(({ command }) => command.id)).toContain('copy-link')
})

it('the table of commands gives no key to two commands of the same place', () => {
  for (const scene of ['bench', 'presenter', 'trace'] as const) {
    const chords = COMMANDS.filter(({ where }) => isAvailableIn(where, scene)).flatMap(
      (command) => command.chords ?? [],
    )
    expect(new Set(chords).size, scene).toBe(chords.length)
  }
})

it('the table of commands runs every command that can be run', () => {
  for (const command of COMMANDS) {
    const { desk, done } = deskWith()
    if (command.run === undefined) continue
    expect(command.run(desk, 0), command.id).toBe(true)
    expect(done.length, command.id).toBeGreaterThan(0)
  }
})

it.each([
  ['s', 'scan'],
  ['t', 'touch'],
  ['r', 'reject'],
  ['f', 'freeze'],
  ['.', 'next-expiry'],
  ['i', 'inspect'],
  ['c', 'copy-code'],
  ['m', 'compare'],
  ['/', 'filter'],
  [' ', 'pause'],
  ['End', 'live'],
  ['p', 'present'],
  ['?', 'help'],
  ['F6', 'next-pane'],
  ['[', 'previous-failed'],
  [']', 'next-failed'],
  ['d', 'dock'],
  ['j', 'show-json'],
  ['h', 'show-hex'],
])('a key: %s on the bench is the command %s', (key, id) => {
  expect(idOf(press(key))).toBe(id)
})

it('a key stays with the field that is typed into', () => {
  const typing = { ...bench, typing: true, pressable: true }
  for (const key of ['s', 't', 'r', 'f', '.', '/', ' ', '?', 'End'])
    expect(idOf(press(key), typing), key).toBeUndefined()
  expect(idOf(press('k', { ctrlKey: true }), typing)).toBe('palette')
  expect(idOf(press('F6'), typing)).toBe('next-pane')
  expect(idOf(press('z', { ctrlKey: true })), 'elsewhere it undoes a deletion').toBe('undo')
  expect(idOf(press('z', { ctrlKey: true }), typing), 'a field undoes its own').toBeUndefined()
})

it('a key stays with an open dialog', () => {
  expect(idOf(press('s'), { ...bench, dialog: true })).toBeUndefined()
  expect(idOf(press('k', { ctrlKey: true }), { ...bench, dialog: true })).toBeUndefined()
})

it('a key: Space stays with a button that has the focus', () => {
  expect(idOf(press(' '), { ...bench, pressable: true })).toBeUndefined()
  expect(idOf(press('s'), { ...bench, pressable: true })).toBe('scan')
})

it('a key means something else while presenting', () => {
  const presenting = { ...bench, scene: 'presenter' } as const
  const idsOf = (...keys: string[]) => keys.map((key) => idOf(press(key), presenting)?.replace('presenter-', ''))
  expect(idsOf('ArrowRight', 'PageDown', 'ArrowLeft', 'PageUp')).toEqual(['next', 'next', 'back', 'back'])
  expect(idsOf(' ', 'r', 's', 'Escape', '?')).toEqual(['autopilot', 'repeat', 'start-over', 'leave', 'help'])
  expect(idsOf('t', 'f', '.')).toEqual(Array(3).fill(undefined))
  expect(idOf(press('k', { ctrlKey: true }), presenting)).toBe('palette')
  expect(idOf(press('ArrowRight'))).toBeUndefined()
})

it('a key of a range says which phone', () => {
  const hit = commandFor(press('3', { altKey: true }), bench)
  const { desk, done } = deskWith()
  hit?.command.run?.(desk, hit.nth)
  expect(done).toEqual(['go bench', 'phone 2'])
})

const titles = (desk: CommandContext) => entriesOf(desk).map(({ title }) => title)

it('the palette offers only what can be done', () => {
  const { desk } = deskWith({ marks: ['scan'] })
  expect(titles(desk)).toContain('Scan with the phone')
  expect(titles(desk)).not.toContain('Approve: touch its sensor')
  expect(titles(deskWith({ user: undefined }).desk)).not.toContain('Copy the access key ID')
})

it('the palette changes nothing in the workspace while a trace is shown, and offers what looks into it', () => {
  const trace = { ...bench, scene: 'trace' } as const
  expect(['f', 's', 't', 'p', '.'].map((key) => idOf(press(key), trace))).toEqual(Array(5).fill(undefined))
  const looks = ['filter', 'inspect', 'show-json', 'compare']
  expect(['/', 'i', 'j', 'm'].map((key) => idOf(press(key), trace))).toEqual(looks)
  const marks = ['open-trace', 'save-trace', 'leave-trace', 'filter', 'freeze', 'copy-code']
  const { desk } = deskWith({ scene: 'trace', marks })
  const idsIn = (where: CommandContext) => entriesOf(where).map(({ command }) => command.id)
  expect(entriesOf(desk).map(({ command }) => command.group)).not.toContain('rp')
  expect(idsIn(desk)).toEqual(expect.arrayContaining(['open-trace', 'leave-trace', 'filter', 'copy-code']))
  expect(idsIn(desk)).not.toContain('save-trace')
  expect(idsIn(deskWith({ marks: ['leave-trace'] }).desk)).not.toContain('leave-trace')
})

it('the palette leaves out what is about keys or presenting, and names the current user and what the clock would do', () => {
  const clock = { now: 0, frozen: true, speed: 1, offset: 0, at: 0 }
  const all = titles(deskWith({ clock }).desk)
  expect(['Next pane', 'Start over'].filter((title) => all.includes(title))).toEqual([])
  expect(all).toContain('Sign alice in by a push')
  expect(all).toContain('Let the clock run')
  expect(titles(deskWith().desk)).toContain('Freeze the clock')
})

it('the palette has one entry for each phone, with its own key', () => {
  const phones = ['Alice', 'Bo'].map((name) => ({ name })) as unknown as CommandContext['phones']
  const entries = entriesOf(deskWith({ phones }).desk).filter(({ command }) => command.id === 'go-phone')
  const told = entries.map(({ title, chord }) => `${title}: ${chord}`)
  expect(told).toEqual(['Phone of Alice: Alt+1', 'Phone of Bo: Alt+2'])
})

const first = (query: string) => findEntries(entriesOf(deskWith().desk), query)[0]?.entries[0]?.key.replace(/-0$/, '')

it.each([
  ['push', 'sign-in-push'],
  ['snap', 'snapshot'],
  ['freeze', 'freeze'],
  ['base', 'copy-base-url'],
  ['scan', 'scan'],
  ['reject', 'reject'],
  ['add', 'add-phone'],
  ['curl', 'copy-code'],
  ['shortcuts', 'help'],
  ['login', 'sign-in-code'],
  ['timeout', 'next-expiry'],
  ['deny', 'reject'],
])('the palette finds for %s the command %s', (query, id) => {
  expect(first(query)).toBe(id)
})

it('the palette keeps the usual order when nothing is asked for, and is empty when nothing fits', () => {
  const groups = findEntries(entriesOf(deskWith().desk), '')
  expect(groups.map(({ group }) => group)).toEqual(['go', 'rp', 'phone', 'timeline', 'time', 'workspace', 'copy'])
  expect(findEntries(entriesOf(deskWith().desk), 'xyzzy')).toEqual([])
})
