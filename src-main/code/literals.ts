/** Nothing that a reader cannot see, or that a compiler takes for the end of a line, stays as it is. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** JSON knows the escapes of JavaScript, Python and Go for quotes, backslashes and breaks; the rest differs. */
const quoted = (text: string, escaped: (sign: string) => string, which: RegExp = UNSEEN): string =>
  JSON.stringify(text.toWellFormed()).replace(which, escaped)

const units = (sign: string): string =>
  Array.from({ length: sign.length }, (_, i) => `\\u${hex(sign.charCodeAt(i), 4)}`).join('')

const codePoint = (sign: string): string => {
  const code = sign.codePointAt(0) ?? 0
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

export const scriptText = (text: string): string => quoted(text, units)

/** Python's and Go's own. */
export const codePointText = (text: string): string => quoted(text, codePoint)

const LONGEST_CONSTANT = 8000

/** Java reads a file in the encoding of the machine, and takes no longer constants. */
export const javaText = (text: string): string => {
  const parts = text.match(new RegExp(`[\\s\\S]{1,${LONGEST_CONSTANT}}`, 'gu')) ?? ['']
  const written = parts.map((part) => quoted(part, units, /[^\x20-\x7e]/gu))
  return written.length === 1 ? (written[0] ?? '""') : `String.join("", ${written.join(', ')})`
}
