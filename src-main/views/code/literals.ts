import { escapeForJson } from '../../core/protocol/json.ts'

/** Characters to escape: quotes, backslashes, invisible ones, and those that a compiler reads as a line end. */
const UNSEEN = /["\\\p{C}\p{Zl}\p{Zp}]/gu

const NAMED: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const quoted = (text: string, escaped: (sign: string) => string, which: RegExp = UNSEEN): string =>
  `"${text.replace(which, (sign) => NAMED[sign] ?? escaped(sign))}"`

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

const units = (sign: string): string => sign.split('').map(escapeForJson).join('')

const codePoint = (sign: string): string => {
  const code = sign.codePointAt(0) ?? 0
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

export const scriptText = (text: string): string => quoted(text, units)

export const pythonText = (text: string): string => quoted(text, codePoint)

/** Octets that are not UTF-8 become \x escapes. */
export const goText = (text: string): string =>
  quoted(text, (sign) => (sign.isWellFormed() ? codePoint(sign) : `\\x${hex(sign.charCodeAt(0) & 0xff, 2)}`))

const LONGEST_CONSTANT = 8000

/** In ASCII, since javac uses the machine's encoding; split, since constants have a maximum length. */
export const javaText = (text: string): string => {
  const parts = text.match(new RegExp(`[\\s\\S]{1,${LONGEST_CONSTANT}}`, 'gu')) ?? ['']
  const written = parts.map((part) => quoted(part, units, /["\\]|[^\x20-\x7e]/gu))
  return written.length === 1 ? (written[0] ?? '""') : `String.join("", ${written.join(', ')})`
}
