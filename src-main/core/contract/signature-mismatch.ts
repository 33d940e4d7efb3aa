import { errors } from './errors.ts'
import type { BenchEvent } from './events.ts'

/** Whether a request was refused for its signature, so that it can be explained. */
export const isSignatureMismatch = (event: BenchEvent | undefined): boolean =>
  event?.kind === 'exchange' && event.response.code === errors.signature_mismatch.code
