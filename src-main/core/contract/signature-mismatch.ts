import { errors } from './errors.ts'
import type { BenchEvent } from './events.ts'

/** Such a request can be explained. */
export const isSignatureMismatch = (event: BenchEvent | undefined): boolean =>
  event?.kind === 'exchange' && event.response.code === errors.signature_mismatch.code
