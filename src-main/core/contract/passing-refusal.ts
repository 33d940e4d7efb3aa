import { errors } from './errors.ts'

/** After these an RP asks again: the same request may be answered later. */
export const isPassingRefusal = (code: number): boolean =>
  code === errors.too_many_requests.code || code >= errors.internal.code
