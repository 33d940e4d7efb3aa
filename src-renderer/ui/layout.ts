import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Primitives of layout and text, which a component names next to its own class or a module composes. Their specificity
 * is that of two elements: above a reset and below any class, in whatever order the sheets are loaded.
 */
const NAMED = {
  flex: 'display: flex',
  row: 'display: flex; align-items: center',
  column: 'display: flex; flex-direction: column',
  middle: 'align-items: center',
  wraps: 'flex-wrap: wrap',
  grid: 'display: grid',
  centred: 'display: grid; place-items: center',
  grow: 'flex: 1',
  fill: 'flex: 1; min-width: 0',
  rigid: 'flex: none',
  narrows: 'min-width: 0',
  shortens: 'min-height: 0',
  shrinks: 'min-width: 0; min-height: 0',
  scrolls: 'overflow: auto',
  'line-above': 'border-top: 1px solid var(--line)',
  'line-below': 'border-bottom: 1px solid var(--line)',
  'bank-line-above': 'border-top: 1px solid var(--bank-line)',
  'bank-line-below': 'border-bottom: 1px solid var(--bank-line)',
  'warn-line-below': 'border-bottom: 1px solid var(--warn-fill)',
  small: 'font-size: 12px',
  tiny: 'font-size: 11px',
  muted: 'color: var(--text-2)',
  faint: 'color: var(--text-3)',
  breaks: 'overflow-wrap: anywhere',
  clip: 'overflow: hidden; text-overflow: ellipsis; white-space: nowrap',
  'pane-head': 'height: 40px; padding: 0 14px 0 16px',
  'page-title': 'font-size: 20px; line-height: 24px; font-weight: 630; letter-spacing: -0.02em',
  'part-title': 'font-size: 14px; font-weight: 610; letter-spacing: -0.01em',
  'pane-title': 'font-size: 13px; font-weight: 600; letter-spacing: -0.008em',
  'os-title': 'font-size: 17px; line-height: 22px; font-weight: 640; letter-spacing: -0.018em',
  baseline: 'align-items: baseline',
  centre: 'justify-content: center',
  between: 'justify-content: space-between',
  starts: 'justify-items: start',
  stretches: 'align-self: stretch',
  'whole-row': 'grid-column: 1 / -1',
  relative: 'position: relative',
  absolute: 'position: absolute',
  block: 'display: block',
  wide: 'width: 100%',
  tall: 'height: 100%',
  'whole-window': 'width: 100vw; height: 100dvh',
  cut: 'overflow: hidden',
  'scrolls-y': 'overflow-y: auto',
  'one-line': 'white-space: nowrap',
  ellipsis: 'text-overflow: ellipsis',
  'text-center': 'text-align: center',
  'text-left': 'text-align: left',
  'text-right': 'text-align: right',
  balanced: 'text-wrap: balance',
  preformatted: 'white-space: pre-wrap',
  pre: 'white-space: pre',
  upright: 'font-style: normal',
  digits: 'font-variant-numeric: tabular-nums',
  accent: 'color: var(--accent)',
  ok: 'color: var(--ok)',
  fail: 'color: var(--fail)',
  warn: 'color: var(--warn)',
  fault: 'color: var(--fault)',
  ink: 'color: var(--text)',
  'on-fail': 'color: var(--on-fail)',
  'os-muted': 'color: var(--os-text-2)',
  'os-card': 'background: var(--os-card); box-shadow: 0 0 0 1px var(--os-line)',
  'bank-muted': 'color: var(--bank-text-2)',
  'push-right': 'margin-left: auto',
  'push-down': 'margin-top: auto',
  'm-auto': 'margin: auto',
  top: 'align-items: flex-start',
  clickable: 'cursor: pointer',
  'self-centre': 'align-self: center',
  'self-start': 'align-self: flex-start',
  'self-centred': 'place-self: center',
  'items-centre': 'justify-items: center',
  ends: 'justify-content: flex-end',
  'inline-flex': 'display: inline-flex',
  'rest-and-own': 'grid-template-columns: minmax(0, 1fr) auto',
  'own-and-rest': 'grid-template-columns: auto minmax(0, 1fr)',
  'scrolls-x': 'overflow-x: auto',
  'bar-less': 'scrollbar-width: none',
  borderless: 'border: 0',
  pretty: 'text-wrap: pretty',
  tight: 'letter-spacing: -0.012em',
  tighter: 'letter-spacing: -0.015em',
  untracked: 'letter-spacing: normal',
  underlined: 'text-decoration: underline; text-underline-offset: 2px',
  'bank-ink': 'color: var(--bank-text)',
  halves: 'grid-template-columns: minmax(0, 1fr) minmax(0, 1fr)',
  'two-columns': 'columns: 2 320px; column-gap: 40px',
  note: 'color: var(--text-2); font-size: 12px; line-height: 17px',
  inline: 'display: inline',
  'inline-block': 'display: inline-block',
  'title-15': 'font-size: 15px; line-height: 22px; letter-spacing: -0.012em',
  'title-19': 'font-size: 19px; line-height: 24px; font-weight: 620; letter-spacing: -0.02em',
  'stage-small': 'font-size: max(13px, calc(1.8 * var(--u)))',
  'stage-title': 'line-height: 1.2; font-weight: 600; letter-spacing: -0.028em',
  'mono-12': 'font: 430 12px / 20px var(--mono); font-feature-settings: var(--mono-features)',
  'mono-14': 'font: 430 14px / 20px var(--mono); font-feature-settings: var(--mono-features)',
  sans: 'font-family: var(--sans)',
  undecorated: 'text-decoration: none',
  'struck-through': 'text-decoration: line-through',
  tone: 'color: var(--tone, var(--text))',
  'tone-fill': 'color: var(--tone-fill)',
  raised: 'box-shadow: var(--shadow-obj)',
  bordered: 'border: 1px solid var(--line)',
  fits: 'max-width: 100%',
  'second-column': 'grid-column: 2',
  'third-column': 'grid-column: 3',
  'fifth-column': 'grid-column: 5',
  'second-row': 'grid-row: 2',
  'last-rows': 'grid-row: 2 / -1',
  'ends-and-middle': 'grid-template-columns: 1fr auto 1fr',
  'outdent-8': 'margin-inline: -8px',
  unbroken: 'break-inside: avoid',
  unmarked: 'list-style: none',
  'unmarked::-webkit-details-marker': 'display: none',
  'divided > * + *': 'border-top: 1px solid var(--line)',
  'hovers:hover': 'background: var(--surface-2)',
  'hovers-3:hover': 'background: var(--surface-3)',
  'fault-hovers:hover': 'background: var(--fault-line)',
  'ink-hovers:hover': 'color: var(--text)',
  'tint-hovers:hover': 'background: color-mix(in srgb, var(--text) 7%, transparent)',
  'os-hovers:hover': 'background: color-mix(in srgb, var(--os-card) 92%, var(--os-text))',
  circle: 'border-radius: 50%',
  'line-left': 'border-left: 1px solid var(--line)',
  'line-right': 'border-right: 1px solid var(--line)',
  outlined: 'box-shadow: inset 0 0 0 1px var(--line)',
  framed: 'box-shadow: inset 0 0 0 1px var(--line-2)',
  'inset-focus:focus-visible': 'outline-offset: -2px',
  sticky: 'position: sticky; top: 0; z-index: 1',
}

/** What a number of pixels in a class's name is for: `gap-4` is `gap: 4px`, `p-7-0` is `padding: 7px 0`. */
const SIZED = {
  gap: 'gap',
  p: 'padding',
  px: 'padding-inline',
  py: 'padding-block',
  pt: 'padding-top',
  pb: 'padding-bottom',
  pl: 'padding-left',
  pr: 'padding-right',
  mx: 'margin-inline',
  my: 'margin-block',
  m: 'margin',
  mt: 'margin-top',
  mb: 'margin-bottom',
  ml: 'margin-left',
  mr: 'margin-right',
  w: 'width',
  h: 'height',
  'min-h': 'min-height',
  'min-w': 'min-width',
  'max-h': 'max-height',
  'max-w': 'max-width',
  text: 'font-size',
  leading: 'line-height',
  rounded: 'border-radius',
  top: 'top',
  left: 'left',
  right: 'right',
}

const px = (sizes: string): string => sizes.replaceAll(/\d+/g, '$&px').replaceAll('-', ' ')

/** Classes with a value in their name: what begins the name, the values that may follow, and the style. */
const VALUED: readonly (readonly [name: string, values: string, style: (value: string) => string])[] = [
  ...Object.entries(SIZED).map(([name, property]) => {
    return [name, '\\d[\\d-]*', (sizes: string) => `${property}: ${px(sizes)}`] as const
  }),
  ['weight', '\\d+', (weight) => `font-weight: ${weight}`],
  ['z', '\\d', (index) => `z-index: ${index}`],
  // A row that begins with a label of so many pixels.
  ['label', '\\d+', (width) => `grid-template-columns: ${width}px minmax(0, 1fr)`],
  ['bg', '[a-z][a-z\\d-]*', (colour) => `background: var(--${colour})`],
]

const rule = (name: string, style: string): string =>
  `${name.replace(/^[\w-]+/, ':is(*, a a):where(.$&)')} { ${style} }\n`

/** The sheet with all primitives. Of those with a value it has the ones that the sources name. */
export const layoutSheet = (sources: readonly string[]): string => {
  const text = sources.join('\n')
  const valued = VALUED.flatMap(([name, values, style]) => {
    const found = text.matchAll(new RegExp(`(?<![\\w-])${name}-(${values})(?![\\w-])`, 'g'))
    return [...new Set(Array.from(found, ([, value = '']) => value))].map((value) =>
      rule(`${name}-${value}`, style(value)),
    )
  })
  return [...Object.entries(NAMED).map(([name, style]) => rule(name, style)), ...valued].join('')
}

const ID = '\0layout.css'

/** For Vite: `layout.css` next to this file is the sheet with all primitives. */
export const layout = (): Plugin => {
  let page = ''
  return {
    name: 'layout',
    enforce: 'pre',
    resolveId: (id, importer = '') => {
      if (!id.endsWith('/ui/layout.css')) return undefined
      page = dirname(dirname(join(dirname(importer), id)))
      return ID
    },
    load(id) {
      if (id !== ID) return undefined
      const files = globSync(join(page, '**/*.{ts,tsx,css}'))
      for (const file of files) this.addWatchFile(file)
      return layoutSheet(files.map((file) => readFileSync(file, 'utf8')))
    },
  }
}
