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
  'push-right': 'margin-left: auto',
  'push-down': 'margin-top: auto',
  'm-auto': 'margin: auto',
  top: 'align-items: flex-start',
  'self-centre': 'align-self: center',
  ends: 'justify-content: flex-end',
  'inline-flex': 'display: inline-flex',
  'rest-and-own': 'grid-template-columns: minmax(0, 1fr) auto',
  'scrolls-x': 'overflow-x: auto',
  'bar-less': 'scrollbar-width: none',
  borderless: 'border: 0',
  pretty: 'text-wrap: pretty',
  tight: 'letter-spacing: -0.012em',
  untracked: 'letter-spacing: normal',
  underlined: 'text-decoration: underline; text-underline-offset: 2px',
  'bank-ink': 'color: var(--bank-text)',
  halves: 'grid-template-columns: minmax(0, 1fr) minmax(0, 1fr)',
  note: 'color: var(--text-2); font-size: 12px; line-height: 17px',
  inline: 'display: inline',
  'inline-block': 'display: inline-block',
  'title-15': 'font-size: 15px; line-height: 22px; letter-spacing: -0.012em',
  'stage-title': 'line-height: 1.2; font-weight: 600; letter-spacing: -0.028em',
  'mono-12': 'font: 430 12px / 20px var(--mono); font-feature-settings: var(--mono-features)',
  sans: 'font-family: var(--sans)',
  undecorated: 'text-decoration: none',
  tone: 'color: var(--tone, var(--text))',
  'tone-fill': 'color: var(--tone-fill)',
  raised: 'box-shadow: var(--shadow-obj)',
  bordered: 'border: 1px solid var(--line)',
  fits: 'max-width: 100%',
  'second-column': 'grid-column: 2',
  'outdent-8': 'margin-inline: -8px',
  unbroken: 'break-inside: avoid',
  unmarked: 'list-style: none',
  'unmarked::-webkit-details-marker': 'display: none',
  'divided > * + *': 'border-top: 1px solid var(--line)',
  'hovers:hover': 'background: var(--surface-2)',
  'hovers-3:hover': 'background: var(--surface-3)',
  circle: 'border-radius: 50%',
  'line-left': 'border-left: 1px solid var(--line)',
  'line-right': 'border-right: 1px solid var(--line)',
  outlined: 'box-shadow: inset 0 0 0 1px var(--line)',
  framed: 'box-shadow: inset 0 0 0 1px var(--line-2)',
  'inset-focus:focus-visible': 'outline-offset: -2px',
  sticky: 'position: sticky; top: 0; z-index: 1',
}

/** `gap-4` is `gap: 4px`, `p-6-0` is `padding: 6px 0`. */
const SIZED = [
  ['gap', 'gap', '2 2-8 2-10 2-12 3 4 4-8 4-10 4-12 4-24 5 6 6-8 6-10 7 8 9 10 12 12-24 14 16 20 26'],
  [
    'p',
    'padding',
    '0-0-4-2 0-0-6 0-0-8 0-2-6 0-4-0-10 0-5-0-10 0-7 0-10 0-11 0-12 0-12-0-16 0-14 0-14-0-6 2-14-10 4-4-4-10 4-6 4-10 4-14 6-0-0 6-12 7-0 7-0-8 7-10',
  ],
  [
    'p',
    'padding',
    '8-0 8-4 8-8-4-14 8-9-12 8-14-2 8-14-10 8-16 8-18-10 9-0-7 10-12 11-14 12-8 12-14 12-18-0 14-16 14-20 16-0-18 24 24-32-40',
  ],
  ['p', 'padding', '8 12 16'],
  ['px', 'padding-inline', '4 5 6 7 8 10 12 14 16 18 22'],
  ['py', 'padding-block', '1 2 3 4 5 6 7 8 10 12 14 20'],
  ['pt', 'padding-top', '2 4 10 12 14 16 24'],
  ['pb', 'padding-bottom', '3 4 6 8 10 12 14 16 20 24 28'],
  ['pl', 'padding-left', '8 16 24 40'],
  ['pr', 'padding-right', '14 16'],
  ['mx', 'margin-inline', '8 16'],
  ['my', 'margin-block', '10'],
  ['m', 'margin', '2-0-16 4-0 4-2-12 10-0'],
  ['mt', 'margin-top', '1 2 4 6 8 10 12 14 16 18 32'],
  ['mb', 'margin-bottom', '2 4 6 10 12 20 28'],
  ['ml', 'margin-left', '4 6 8 22'],
  ['mr', 'margin-right', '6 8'],
  ['w', 'width', '18 24 28 64'],
  ['h', 'height', '3 18 20 24 26 28 32 34 36 44 48 64'],
  ['min-h', 'min-height', '24 26 32 44 130'],
  ['max-w', 'max-width', '150 420 680'],
  ['text', 'font-size', '10 13 14 15'],
  ['weight', 'font-weight', '430 480 500 520 530 540 560 580 600 610'],
  ['leading', 'line-height', '13 14 16 17 18 19 20 22'],
  ['rounded', 'border-radius', '3 4 5 6 7 8 9 10'],
]

/** `label-84` is a row that begins with a label of 84 pixels. */
const LABELS = '76 84 90 96 128'

const BACKGROUNDS = 'accent-soft bank-line bank-soft fail-soft fault-soft ok-soft surface surface-2 surface-3 tone-soft'

const px = (size: string): string => size.replaceAll(/\d+/g, '$&px').replaceAll('-', ' ')

const classes = [
  ...Object.entries(NAMED),
  ...SIZED.flatMap(([name, property, sizes = '']) =>
    sizes
      .split(' ')
      .map((size) => [`${name}-${size}`, `${property}: ${property === 'font-weight' ? size : px(size)}`] as const),
  ),
  ...LABELS.split(' ').map((width) => [`label-${width}`, `grid-template-columns: ${width}px minmax(0, 1fr)`] as const),
  ...BACKGROUNDS.split(' ').map((colour) => [`bg-${colour}`, `background: var(--${colour})`] as const),
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
