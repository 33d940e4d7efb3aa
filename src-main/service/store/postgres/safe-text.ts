/** PostgreSQL's text cannot have U+0000: it is written as ESCAPE and 0, and ESCAPE itself as ESCAPE and 1. */
const ESCAPE = '\u001a'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNSAFE = /[\u0000\u001a]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const ESCAPED = /\u001a([01])/g

export const toSafeText = <T>(value: T): T | string =>
  typeof value === 'string' && (value.includes('\0') || value.includes(ESCAPE))
    ? value.replace(UNSAFE, (char) => ESCAPE + (char === '\0' ? '0' : '1'))
    : value

export const fromSafeText = <T>(value: T): T | string =>
  typeof value === 'string' && value.includes(ESCAPE)
    ? value.replace(ESCAPED, (_, digit) => (digit === '0' ? '\0' : ESCAPE))
    : value
