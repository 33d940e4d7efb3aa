import { type Bytes, utf8 } from './bytes.ts'
import type { HeaderPair } from './canonical-request.ts'

/** Characters that are invisible or that a terminal obeys: line ends, escapes and changes of text direction. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u

/** Quotes text that a shell would change: a word that begins with # would be a comment. */
export const shellWord = (text: string): string => {
  if (/^(?!#)[\w@%+=:,./#-]+$/.test(text)) return text
  return UNSEEN.test(text) ? `"$(printf ${quoted(printfFormat(octetsIn(text)))})"` : quoted(text)
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Format of POSIX printf: plain characters, else octal octets. printf would read a leading hyphen as an option. */
const printfFormat = (bytes: Uint8Array): string =>
  Array.from(bytes, (octet, at) => {
    const sign = String.fromCharCode(octet)
    return /[ !-$&-[\]-~]/.test(sign) && (at > 0 || sign !== '-') ? sign : `\\${octet.toString(8).padStart(3, '0')}`
  }).join('')

/** Encodes as UTF-8. U+DC80 to U+DCFF become single octets that are not UTF-8, as in Python. */
const octetsIn = (text: string): Bytes => {
  if (text.isWellFormed()) return utf8(text)
  return Uint8Array.from(
    [...text].flatMap((sign) => {
      const code = sign.charCodeAt(0)
      return sign.length === 1 && code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : [...utf8(sign)]
    }),
  )
}

export const printfCommand = (body: string | Uint8Array): string =>
  `printf ${quoted(printfFormat(typeof body === 'string' ? octetsIn(body) : body))}`

export const isPrintable = (text: string): boolean => !UNSEEN.test(text)

export type CurlCall = {
  readonly method: string
  /** Already quoted for the shell. */
  readonly url: string
  /** Without Host, which curl takes from the address. */
  readonly headers: readonly HeaderPair[]
  /** More arguments, already quoted. */
  readonly more?: readonly string[]
  /** Arguments for the body, already quoted. */
  readonly data?: readonly string[]
}

/** One call of curl, line by line, that sends only its input and curl's Accept and User-Agent. */
export const curlCommand = ({ method, url, headers, more = [], data = [] }: CurlCall): string => {
  const isTyped = data.length === 0 || headers.some(([name]) => name.toLowerCase() === 'content-type')
  return [
    // Without -g, curl expands [ ] and { } into several addresses.
    `curl -sS -g --path-as-is ${method === 'HEAD' && data.length === 0 ? '-I' : `-X ${shellWord(method)}`} ${url}`,
    ...more,
    // An empty value needs a semicolon, or curl leaves the header out.
    ...headers.map(([name, value]) => `-H ${shellWord(/^[ \t]*$/.test(value) ? `${name};` : `${name}: ${value}`)}`),
    ...(isTyped ? [] : ['-H Content-Type:']),
    ...data,
  ].join(' \\\n  ')
}

/** curl's arguments for this body. A body that a terminal would obey is piped in: `before` is that command. */
export const curlBody = (body: string): { readonly before: string; readonly data: readonly string[] } => {
  if (body === '') return { before: '', data: [] }
  return isPrintable(body)
    ? { before: '', data: [`--data-raw ${shellWord(body)}`] }
    : { before: `${printfCommand(body)} | `, data: ['--data-binary @-'] }
}
