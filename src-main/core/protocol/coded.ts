export type Coded<Params> = {
  readonly [Code in keyof Params]: keyof Params[Code] extends never
    ? { readonly code: Code }
    : { readonly code: Code; readonly params: Params[Code] }
}[keyof Params]

export type NoParams = Readonly<Record<never, never>>
