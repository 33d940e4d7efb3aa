import { errors, type Refusal, refusalText } from './errors.ts'

/** What every response of every interface looks like. */
export type Envelope<T = unknown> = {
  readonly code: number
  readonly data: T
  readonly error: string
}

export const success = <T>(data: T): Envelope<T> => ({ code: 0, data, error: '' })

export const failure = (refusal: Refusal): Envelope<Readonly<Record<string, unknown>>> => ({
  code: errors[refusal.name].code,
  data: refusal.data ?? {},
  error: refusalText(refusal),
})
