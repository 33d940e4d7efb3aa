import { describe, expect, it } from 'vitest'
import { fuzzy } from '../../../src-renderer/palette/fuzzy.ts'

const best = (query: string, texts: readonly string[]): string | undefined =>
  texts
    .flatMap((text) => {
      const match = fuzzy(query, text)
      return match === undefined ? [] : [{ text, score: match.score }]
    })
    .sort((a, b) => b.score - a.score)[0]?.text

const marked = (query: string, text: string): string =>
  [...text].map((char, i) => (fuzzy(query, text)?.at.includes(i) ? char.toUpperCase() : char.toLowerCase())).join('')

describe('the search', () => {
  it('finds the characters in their order, wherever they stand', () => {
    expect(fuzzy('tks', 'Take a snapshot')).toBeDefined()
    expect(fuzzy('skt', 'Take a snapshot')).toBeUndefined()
    expect(fuzzy('snapshots', 'Take a snapshot')).toBeUndefined()
  })

  it('does not mind case and spaces', () => {
    expect(fuzzy('TAKE  A', 'take a snapshot')).toBeDefined()
    expect(fuzzy('resetbench', 'Reset the bench')).toBeDefined()
  })

  it('prefers the beginnings of words', () => {
    expect(marked('ts', 'Take a snapshot')).toBe('Take a Snapshot')
    expect(best('fc', ['Filter, active', 'Freeze the clock'])).toBe('Freeze the clock')
  })

  it('prefers characters that follow each other', () => {
    expect(marked('lock', 'Let the clock run')).toBe('let the cLOCK run')
    expect(best('scan', ['Sign Carla in', 'Scan with the phone'])).toBe('Scan with the phone')
  })

  it('prefers what stands early', () => {
    expect(best('con', ['Go to console', 'Console'])).toBe('Console')
  })

  it('finds everything when nothing is asked for', () => {
    expect(fuzzy('', 'Bench')).toEqual({ score: 0, at: [] })
    expect(fuzzy('  ', 'Bench')).toEqual({ score: 0, at: [] })
  })
})
