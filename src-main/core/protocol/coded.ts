/** A code with the parameters of its text, typed by a table of codes. */
export type Coded<Params> = {
  readonly [Code in keyof Params]: keyof Params[Code] extends never
    ? { readonly code: Code }
    : { readonly code: Code; readonly params: Params[Code] }
}[keyof Params]

/** A code without parameters. */
export type Nothing = Readonly<Record<never, never>>
