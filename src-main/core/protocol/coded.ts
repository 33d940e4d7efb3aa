/** A code with the parameters that its text needs, of a table of codes and what each needs. */
export type Coded<Params> = {
  readonly [Code in keyof Params]: keyof Params[Code] extends never
    ? { readonly code: Code }
    : { readonly code: Code; readonly params: Params[Code] }
}[keyof Params]

/** A code that needs nothing. */
export type Nothing = Readonly<Record<never, never>>
