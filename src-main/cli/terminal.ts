/** Where a command writes. `color` only where a person looks at it. */
export type Terminal = {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  readonly color: boolean
  readonly width: number
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

export const processTerminal = (): Terminal => ({
  out: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
  // https://no-color.org
  color: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
  width: widthOf(process.stdout.columns),
})

/** A terminal that was given no size says 0: some CIs have such. */
export const widthOf = (columns: number | undefined): number =>
  columns === undefined || columns === 0 ? 100 : Math.max(60, Math.min(columns, 120))

/** Cut to a width, with an ellipsis where something is left out. */
export const column = (text: string, width: number): string =>
  text.length <= width ? text.padEnd(width) : `${text.slice(0, Math.max(0, width - 1))}…`
