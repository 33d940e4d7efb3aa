export type Coded<Params> = {
  readonly [Code in keyof Params]: keyof Params[Code] extends never
    ? { readonly code: Code }
    : { readonly code: Code; readonly params: Params[Code] }
}[keyof Params]

export type NoParams = Readonly<Record<never, never>>

/** The parameters of each code: those that its text takes. */
export type ParamsOf<Table> = {
  readonly [Code in keyof Table]: Table[Code] extends (params: infer Params) => unknown ? Params : NoParams
}

export type Texts<Params> = {
  readonly [Code in keyof Params]: keyof Params[Code] extends never ? string : (params: Params[Code]) => string
}

/** A code of any table. */
export type AnyCoded = { readonly code: string; readonly params?: unknown }

export type TextTable = Readonly<Record<string, string | ((params: never) => string)>>

export const textOrData = (texts: TextTable, text: string | AnyCoded): string =>
  typeof text === 'string' ? text : textOf(texts, text)

/**
 * The text of a code. A code that the table lacks, as from an older data directory, is returned unchanged; so is one
 * with unknown parameters, as from an edited file.
 */
export const textOf = (texts: TextTable, { code, params }: AnyCoded): string => {
  const entry = Object.hasOwn(texts, code) ? texts[code] : undefined
  if (entry === undefined) return code
  if (typeof entry === 'string') return entry
  try {
    return entry(params as never)
  } catch {
    return code
  }
}
