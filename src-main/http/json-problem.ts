/** Deeper nesting than any body of ours has, far below what would exhaust the parser. */
const DEEPEST = 32

/**
 * What JSON.parse would accept and we do not: a member named twice (two readers would see two different requests),
 * deep nesting, half a surrogate pair. Undefined: the text is good.
 */
export const jsonProblem = (text: string): string | undefined => {
  const syntax = depthProblem(text) ?? syntaxProblem(text)
  return syntax ?? duplicateProblem(text) ?? (hasLoneSurrogate(text) ? 'It has half of a surrogate pair.' : undefined)
}

/** Before parsing: brackets outside of strings. */
const depthProblem = (text: string): string | undefined => {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === BACKSLASH) i++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > DEEPEST) return `It is nested deeper than ${DEEPEST} levels.`
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return undefined
}

const syntaxProblem = (text: string): string | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return 'It is not valid JSON.'
  }
}

/** Of valid JSON. Names are compared as values: `"a"` and `"\u0061"` are the same. */
const duplicateProblem = (text: string): string | undefined => {
  const open: (Set<string> | undefined)[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === OPEN_BRACE) open.push(new Set())
    else if (code === OPEN_BRACKET) open.push(undefined)
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop()
    else if (code === QUOTE) {
      const end = endOfString(text, i)
      const names = open.at(-1)
      if (names !== undefined && isName(text, end)) {
        const name: unknown = JSON.parse(text.slice(i, end + 1))
        if (names.has(String(name))) return `It has the member ${JSON.stringify(name).slice(0, 100)} twice.`
        names.add(String(name))
      }
      i = end
    }
  }
  return undefined
}

const endOfString = (text: string, start: number): number => {
  let i = start + 1
  while (text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i
}

/** In an object, a string is a name when a colon follows. */
const isName = (text: string, end: number): boolean => {
  let i = end + 1
  while (text.charCodeAt(i) <= 32) i++
  return text.charCodeAt(i) === COLON
}

/** Only an escape can bring one in: UTF-8 has none. */
const hasLoneSurrogate = (text: string): boolean => {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return false
  let lone = false
  JSON.parse(text, (key, value: unknown) => {
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) lone = true
    return value
  })
  return lone
}

const QUOTE = 34
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
