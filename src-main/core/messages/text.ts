import type { Millis } from '../protocol/time.ts'
export type Texts<Params> = {
  readonly [Code in keyof Params]: keyof Params[Code] extends never ? string : (params: Params[Code]) => string
}

type Coded = { readonly code: string; readonly params?: unknown }

type Entry = string | ((params: never) => string)

export const textOrData = (texts: Readonly<Record<string, Entry>>, text: string | Coded): string =>
  typeof text === 'string' ? text : textOf(texts, text)

/**
 * The text of a code. A code that the table lacks, as from an older data directory, is returned unchanged; so is one
 * with unknown parameters, as from an edited file.
 */
export const textOf = (texts: Readonly<Record<string, Entry>>, { code, params }: Coded): string => {
  const entry = Object.hasOwn(texts, code) ? texts[code] : undefined
  if (entry === undefined) return code
  if (typeof entry === 'string') return entry
  try {
    return entry(params as never)
  } catch {
    return code
  }
}

/** ISO 8601 to the second. Years beyond 9999 keep their digits. */
export const isoTime = (time: Millis): string => new Date(time).toISOString().replace('.000Z', 'Z')
