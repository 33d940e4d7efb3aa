/** For operations that may be refused; `throw` is kept for bugs. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error })

/** The value of a result that only a bug could refuse. */
export const unwrap = <T>(result: Result<T, unknown>, what: string): T => {
  if (!result.ok) throw new Error(`${what}: ${JSON.stringify(result.error)}`)
  return result.value
}

/** Returns the work's result, or undefined if it throws. For callers that do not need the cause. */
export const orNothing = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** The value in a result's type. */
export type OkOf<R> = Extract<R, { readonly ok: true; readonly value: unknown }>['value']

export declare const exact: unique symbol

/** Data of an answer with each field of its contract and no other, at any depth. Only `exactly` makes it. */
export type Exact<D> = D & { readonly [exact]: true }

type KeyOf<D> = D extends unknown ? keyof D : never
type At<D, K> = D extends unknown ? (K extends keyof D ? D[K] : never) : never

/** Rejects an `A` with a field that `D` does not have. */
type Only<D, A> = A extends readonly (infer E)[]
  ? readonly Only<D extends readonly (infer F)[] ? F : never, E>[]
  : A extends object
    ? { readonly [K in keyof A]: K extends KeyOf<D> ? Only<At<D, K>, A[K]> : never }
    : unknown

export const exactly = <D, A extends D>(data: A & Only<D, A>): Exact<D> => data as D as Exact<D>
