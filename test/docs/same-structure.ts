import type { Block } from './code-blocks.ts'

/** Where a command printed something else than its page shows, or undefined. JSON may be laid out in any way. */
export const outputDifference = ({ language, text }: Block, printed: string): string | undefined =>
  language === 'json' ? structureDifference(JSON.parse(text), readJson(printed)) : textDifference(text, printed)

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Where what a program printed differs from what the page shows, or undefined. Names and words must be equal; `…` stands
 * for any text, and as a member's name for further members; a number stands for any number, but for `code`.
 */
const structureDifference = (shown: unknown, printed: unknown, at = '$'): string | undefined => {
  if (typeof shown === 'string') {
    return typeof printed === 'string' && fits(shown, printed) ? undefined : differs(at, shown, printed)
  }
  if (typeof shown === 'number') {
    const same = at.endsWith('.code') ? shown === printed : typeof printed === 'number'
    return same ? undefined : differs(at, shown, printed)
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(printed) || printed.length !== shown.length) return differs(at, shown, printed)
    return firstOf(shown.map((entry, i) => structureDifference(entry, printed[i], `${at}[${i}]`)))
  }
  if (isObject(shown)) {
    if (!isObject(printed)) return differs(at, shown, printed)
    const { '…': more, ...members } = shown
    const stranger = Object.keys(printed).find((key) => !Object.hasOwn(members, key))
    if (stranger !== undefined && more === undefined) return `${at}.${stranger} is printed and not shown`
    return firstOf(
      Object.entries(members).map(([key, value]) => structureDifference(value, printed[key], `${at}.${key}`)),
    )
  }
  return shown === printed ? undefined : differs(at, shown, printed)
}

/** The same for texts, line by line. */
const textDifference = (shown: string, printed: string): string | undefined => {
  const [left, right] = [shown.trimEnd().split('\n'), printed.trimEnd().split('\n')]
  if (left.length !== right.length) return `shown are ${left.length} lines, printed ${right.length}`
  return firstOf(
    left.map((line, i) => (fits(line, right[i] ?? '') ? undefined : differs(`line ${i + 1}`, line, right[i]))),
  )
}

const fits = (shown: string, printed: string): boolean =>
  new RegExp(`^${shown.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '[\\s\\S]*')}$`).test(printed)

const differs = (at: string, shown: unknown, printed: unknown): string =>
  `${at}: shown ${JSON.stringify(shown)}, printed ${JSON.stringify(printed)}`

const firstOf = (problems: readonly (string | undefined)[]): string | undefined =>
  problems.find((problem) => problem !== undefined)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
