/**
 * Primitives of layout and text, which a component names next to its own class or a module composes. They weigh as
 * much as two elements: more than a reset, less than any class, in whatever order the sheets are loaded.
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
  block: 'display: block',
  wide: 'width: 100%',
  tall: 'height: 100%',
  cut: 'overflow: hidden',
  'scrolls-y': 'overflow-y: auto',
  'one-line': 'white-space: nowrap',
  ellipsis: 'text-overflow: ellipsis',
  'text-center': 'text-align: center',
  'text-left': 'text-align: left',
  'text-right': 'text-align: right',
  balanced: 'text-wrap: balance',
  preformatted: 'white-space: pre-wrap',
  upright: 'font-style: normal',
  digits: 'font-variant-numeric: tabular-nums',
  accent: 'color: var(--accent)',
  ok: 'color: var(--ok)',
  fail: 'color: var(--fail)',
  warn: 'color: var(--warn)',
  fault: 'color: var(--fault)',
  ink: 'color: var(--text)',
  'os-muted': 'color: var(--os-text-2)',
  'bank-muted': 'color: var(--bank-text-2)',
  'bg-surface': 'background: var(--surface)',
  'bg-surface-2': 'background: var(--surface-2)',
  'bg-fail-soft': 'background: var(--fail-soft)',
  circle: 'border-radius: 50%',
  'line-left': 'border-left: 1px solid var(--line)',
  'line-right': 'border-right: 1px solid var(--line)',
  outlined: 'box-shadow: inset 0 0 0 1px var(--line)',
  framed: 'box-shadow: inset 0 0 0 1px var(--line-2)',
  'inset-focus:focus-visible': 'outline-offset: -2px',
}

/** `gap-4` is `gap: 4px`. */
const SIZED = [
  { name: 'gap', property: 'gap', unit: 'px', sizes: [2, 4, 5, 6, 7, 8, 10, 12, 14] },
  { name: 'text', property: 'font-size', unit: 'px', sizes: [13, 14, 15] },
  { name: 'weight', property: 'font-weight', unit: '', sizes: [430, 500, 530, 540, 560, 600, 610] },
  { name: 'leading', property: 'line-height', unit: 'px', sizes: [16, 17, 20] },
  { name: 'rounded', property: 'border-radius', unit: 'px', sizes: [5, 6, 7, 8, 9] },
  { name: 'mt', property: 'margin-top', unit: 'px', sizes: [4, 6, 8, 10, 12, 14] },
]

const classes = [
  ...Object.entries(NAMED),
  ...SIZED.flatMap(({ name, property, unit, sizes }) =>
    sizes.map((size) => [`${name}-${size}`, `${property}: ${size}${unit}`] as const),
  ),
]

export const layoutSheet = classes
  .map(([name, style]) => `${name.replace(/^[\w-]+/, ':is(*, a a):where(.$&)')} { ${style} }\n`)
  .join('')

const ID = '\0layout.css'

/** For Vite: `layout.css` next to this file is the sheet with all primitives. */
export const layout = {
  name: 'layout',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id.endsWith('/ui/layout.css') ? ID : undefined),
  load: (id: string) => (id === ID ? layoutSheet : undefined),
}
