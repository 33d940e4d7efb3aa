import { describe, expect, it } from 'vitest'
import { keysOf, matchChord } from '../../../src-renderer/palette/chords.ts'
import { press } from './press.ts'

describe('a chord', () => {
  it.each([
    ['S', press('s')],
    ['S', press('S', { shiftKey: true })],
    ['?', press('?', { shiftKey: true })],
    ['?', press('?')],
    ['/', press('/')],
    ['.', press('.')],
    ['Space', press(' ')],
    ['F6', press('F6')],
    ['Shift+F6', press('F6', { shiftKey: true })],
    ['Mod+K', press('k', { ctrlKey: true })],
    ['Mod+K', press('k', { metaKey: true })],
    ['ArrowRight', press('ArrowRight')],
    ['Escape', press('Escape')],
  ])('%s is pressed', (chord, pressed) => {
    expect(matchChord(chord, pressed)).toBe(0)
  })

  it.each([
    ['S', press('s', { ctrlKey: true })],
    ['S', press('s', { metaKey: true })],
    ['S', press('s', { altKey: true })],
    ['S', press('Shift', { shiftKey: true })],
    ['F6', press('F6', { shiftKey: true })],
    ['Mod+K', press('k')],
    ['Mod+K', press('k', { ctrlKey: true, altKey: true })],
    ['Alt+1–9', press('0', { altKey: true })],
    ['Alt+1–9', press('3')],
    ['Alt+1–9', press('–', { altKey: true })],
    ['Space', press('s')],
  ])('%s is not pressed by another key', (chord, pressed) => {
    expect(matchChord(chord, pressed)).toBeUndefined()
  })

  it('of a range tells which one', () => {
    expect(matchChord('Alt+1–9', press('3', { altKey: true }))).toBe(2)
    expect(matchChord('Alt+1–9', press('¡', { altKey: true, code: 'Digit1' }))).toBe(0)
  })

  it('is printed as on the keyboard', () => {
    expect(keysOf('Mod+K', false)).toEqual(['Ctrl', 'K'])
    expect(keysOf('Mod+K', true)).toEqual(['⌘', 'K'])
    expect(keysOf('Alt+1–9', true)).toEqual(['⌥', '1–9'])
    expect(keysOf('ArrowLeft', false)).toEqual(['←'])
    expect(keysOf('/', false)).toEqual(['/'])
  })
})
