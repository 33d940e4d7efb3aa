import { escapeForJson } from '../core/protocol/json.ts'
import { escapeInvisible } from '../core/protocol/visible.ts'

/** `color`: the output may contain color codes. */
export type Terminal = {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  readonly color: boolean
  readonly width: number
  /** Present if a person reads the output: shows one line below it. The next line replaces this one; '' removes it. */
  readonly status?: (text: string) => void
}

export type Paint = Readonly<Record<'bold' | 'dim' | 'green' | 'red' | 'blue' | 'yellow', (text: string) => string>>

const SGR = { bold: 1, dim: 2, green: 32, red: 31, blue: 34, yellow: 33 } as const

export const paintFor = ({ color }: Pick<Terminal, 'color'>): Paint =>
  Object.fromEntries(
    Object.entries(SGR).map(([name, code]) => [
      name,
      (text: string) => (color && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text),
    ]),
  ) as Paint

/** A control character with the rest of its color code. */
const CONTROLS = /[^\P{Cc}\n\t](?:\[\d{1,2}m)?/gu
const COLORS: ReadonlySet<string> = new Set([0, ...Object.values(SGR)].map((code) => `\u001b[${code}m`))

/**
 * The terminal also shows text from other programs and files. Of the control characters, only line ends, tabs and (with
 * colors) those of `paintFor` may have an effect; any other is shown as its number.
 */
export const toPrintable = (text: string, { color }: Pick<Terminal, 'color'>): string =>
  escapeInvisible(
    text.replace(CONTROLS, (found) => (color && COLORS.has(found) ? found : escapeForJson(found) + found.slice(1))),
  )

/** Output of another program, short enough for a sentence. */
export const toOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300)

/** FORCE_COLOR takes precedence over NO_COLOR, as in Node. https://force-color.org, https://no-color.org */
export const wantsColor = ({ FORCE_COLOR, NO_COLOR }: NodeJS.ProcessEnv, isLive: boolean): boolean =>
  FORCE_COLOR ? !['0', 'false'].includes(FORCE_COLOR) : isLive && !NO_COLOR

export const terminalOfProcess = (): Terminal => {
  const isLive = process.stdout.isTTY === true && process.env.TERM !== 'dumb'
  const color = wantsColor(process.env, isLive)
  const printed = (text: string): string => toPrintable(text, { color })
  let shown = ''
  const clear = (): string => (shown === '' ? '' : CLEAR_LINE)
  return {
    out: (text) => void process.stdout.write(`${clear()}${printed(text)}\n${shown}`),
    error: (text) => {
      if (shown !== '') process.stdout.write(CLEAR_LINE)
      process.stderr.write(`${printed(text)}\n`)
      if (shown !== '') process.stdout.write(shown)
    },
    color,
    width: terminalWidth(process.stdout.columns),
    ...(isLive
      ? {
          status: (text) => {
            const line = printed(text)
            process.stdout.write(clear() + line)
            shown = line
          },
        }
      : {}),
  }
}

/** ECMA-48: go to the start of the line, erase to its end. */
const CLEAR_LINE = '\r\u001b[K'

/** A terminal without a size, as in some CIs, reports 0 columns. */
export const terminalWidth = (columns: number | undefined): number =>
  columns === undefined || columns === 0 ? 100 : Math.max(60, Math.min(columns, 120))

/** Characters that terminals draw two columns wide; U+FE0F turns the character before it into an emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u
/** Created when first needed, since that takes 50 ms. */
let graphemes: Intl.Segmenter | undefined

/** Splits the text as the terminal will show it. */
const partsOf = (text: string): readonly string[] => {
  if (/^[ -~]*$/.test(text)) return [...text]
  graphemes ??= new Intl.Segmenter('en')
  return [...graphemes.segment(toPrintable(text, { color: true }))].map(({ segment }) => segment)
}
const columnsOf = (part: string): number => (WIDE.test(part) ? 2 : 1)
const spaces = (count: number): string => ' '.repeat(Math.max(0, count))

const fitting = (parts: readonly string[], width: number): { readonly count: number; readonly columns: number } => {
  let columns = 0
  for (const [count, part] of parts.entries()) {
    const next = columns + columnsOf(part)
    if (next > width) return { count, columns }
    columns = next
  }
  return { count: parts.length, columns }
}

/** Pads the text to the width, or shortens it with an ellipsis. `end`: the share of the width after the ellipsis. */
const inColumn =
  (end: number) =>
  (text: string, width: number): string => {
    const parts = partsOf(text)
    const whole = fitting(parts, width)
    if (whole.count === parts.length) return parts.join('') + spaces(width - whole.columns)
    const tail = fitting(parts.toReversed(), Math.floor((width - 1) * end))
    const head = fitting(parts, end === 1 ? 0 : width - 1 - tail.columns)
    const cut = `${parts.slice(0, head.count).join('')}…${parts.slice(parts.length - tail.count).join('')}`
    return cut + spaces(width - 1 - head.columns - tail.columns)
  }

export const fitColumn = inColumn(0)
/** Keeps the end, the most useful part of a path. */
export const fitPath = inColumn(1)
/** Keeps both ends, because related names begin alike. */
export const fitName = inColumn(0.5)
