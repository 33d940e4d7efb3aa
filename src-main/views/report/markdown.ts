/** Untrusted text as a code span on one line, in which nothing is interpreted as Markdown. */
export const code = (text: string): string => {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  const ticks = fenceFor(line, 1)
  return line.includes('`') || line === '' ? `${ticks} ${line} ${ticks}` : `\`${line}\``
}

/** A code block whose fence is longer than any fence in the text. */
export const block = (text: string, info = ''): string => {
  const fence = fenceFor(text, 3)
  return `${fence}${info}\n${text.replace(/\n$/, '')}\n${fence}`
}

export const prose = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\\`*[\]<>#|!~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (sign) => `\\${sign}`)

/** A number outside the range of dates stays a number. */
export const timeText = (time: number): string => {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString()
}

const fenceFor = (text: string, least: number): string => {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  return '`'.repeat(Math.max(least, longest + 1))
}
