import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const css = readFileSync(join(import.meta.dirname, '../../src-renderer/ui/tokens.css'), 'utf8')
const [lightCss = '', darkCss = ''] = css.split('@media (prefers-color-scheme: dark)')

const colours = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]))

const light = colours(lightCss)
const themes = { light, dark: { ...light, ...colours(darkCss) } }

/** WCAG 2.2, relative luminance. */
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (a: string, b: string): number => {
  const [dark = 0, bright = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (bright + 0.05) / (dark + 0.05)
}

/** Text on what it stands on. */
const texts = [
  ...['bench', 'surface', 'surface-2', 'surface-3', 'raised'].flatMap((ground) =>
    ['text', 'text-2', 'text-3'].map((ink) => [ink, ground] as const),
  ),
  ['accent', 'surface'],
  ['accent', 'accent-soft'],
  ['accent', 'os'],
  ['on-accent', 'accent-fill'],
  ['text-2', 'accent-soft'],
  ...(['ok', 'fail', 'warn', 'fault'] as const).flatMap((tone) => [
    [tone, 'surface'] as const,
    [tone, `${tone}-soft`] as const,
  ]),
  ['on-fail', 'fail-fill'],
  ['bank-text', 'bank-page'],
  ['bank-text', 'bank-soft'],
  ['bank-text-2', 'bank-page'],
  ['bank-text-2', 'bank-soft'],
  ['fail', 'bank-soft'],
  ['ok', 'bank-soft'],
  ['warn', 'bank-soft'],
  ['accent', 'bank-soft'],
  ['on-bank', 'bank'],
  ['text-2', 'chrome'],
  ['os-text', 'os'],
  ['os-text', 'os-card'],
  ['os-text-2', 'os'],
  ['os-text-2', 'os-card'],
  ['qr-ink', 'qr-paper'],
] as const

/** Graphics that carry a meaning. */
const graphics = [
  ['idle', 'surface'],
  ['idle', 'bank-soft'],
  ['accent', 'bench'],
  ['ok-fill', 'surface'],
  ['fail-fill', 'surface'],
  ['warn-fill', 'surface'],
] as const

describe.each(Object.entries(themes))('the %s theme', (_, theme) => {
  const ratio = ([ink, ground]: readonly [string, string]) => contrast(theme[ink] ?? '', theme[ground] ?? '')

  it('has no text below 4.5 to 1', () => {
    expect(texts.filter((pair) => !(ratio(pair) >= 4.5))).toEqual([])
  })

  it('has no telling graphic below 3 to 1', () => {
    expect(graphics.filter((pair) => !(ratio(pair) >= 3))).toEqual([])
  })
})
