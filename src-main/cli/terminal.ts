/** Where a command writes. `color` only where a person looks at it. */
export type Terminal = {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  readonly color: boolean
  readonly width: number
  /** Where a person looks at it: one line below what was written, which the next replaces; '' takes it away. */
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

export const processTerminal = (): Terminal => {
  const isLive = process.stdout.isTTY === true && process.env.TERM !== 'dumb'
  let shown = ''
  const clear = (): string => (shown === '' ? '' : CLEAR_LINE)
  return {
    out: (text) => void process.stdout.write(`${clear()}${text}\n${shown}`),
    error: (text) => {
      if (shown !== '') process.stdout.write(CLEAR_LINE)
      process.stderr.write(`${text}\n`)
      if (shown !== '') process.stdout.write(shown)
    },
    // https://no-color.org
    color: isLive && !process.env.NO_COLOR,
    width: widthOf(process.stdout.columns),
    ...(isLive
      ? {
          status: (text) => {
            process.stdout.write(clear() + text)
            shown = text
          },
        }
      : {}),
  }
}

/** ECMA-48: to the line's begin, erase to its end. */
const CLEAR_LINE = '\r\u001b[K'

/** A terminal that was given no size says 0: some CIs have such. */
export const widthOf = (columns: number | undefined): number =>
  columns === undefined || columns === 0 ? 100 : Math.max(60, Math.min(columns, 120))

/** Cut to a width, with an ellipsis where something is left out. */
export const column = (text: string, width: number): string =>
  text.length <= width ? text.padEnd(width) : `${text.slice(0, Math.max(0, width - 1))}…`

/** As `column`, for a path: its end says most. */
export const pathColumn = (path: string, width: number): string =>
  path.length <= width ? path.padEnd(width) : `…${path.slice(1 - width)}`
