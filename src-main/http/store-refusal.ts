import { type Refusal, refuse } from '../core/contract/errors.ts'
import { isDiskRefusal } from '../core/protocol/disk-refusal.ts'
import { StoreUnavailable } from '../core/protocol/store-unavailable.ts'

const RETRY_S = 1

/** Where what is stored cannot be reached or takes no more, as against a bug. */
export const storeRefusal = (reason: unknown): Refusal | undefined => {
  if (isDiskRefusal(reason)) {
    return refuse('storage_full', { code: 'disk_says', params: { message: reason.message, code: reason.code } })
  }
  if (!(reason instanceof StoreUnavailable)) return undefined
  // What the database said names its address, which is for the log: anybody may ask.
  return refuse(
    'store_unavailable',
    { code: 'try_again_in', params: { seconds: RETRY_S } },
    { headers: { 'Retry-After': String(RETRY_S) } },
  )
}
