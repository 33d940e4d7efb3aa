/** The shared database is unavailable for now; the same request may succeed in a moment. */
export class StoreUnavailable extends Error {
  /** The statement may have been carried out anyway. */
  readonly fateUnknown: boolean
  constructor(reason: string, fateUnknown: boolean) {
    super(reason)
    this.fateUnknown = fateUnknown
  }
}

/** SQLite, PostgreSQL and system codes for a disk that is full, over quota, read-only or broken. */
const REFUSALS = /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN)|(53100|58030|ENOSPC|EDQUOT|EROFS|EIO)$)/

/** A disk error, as opposed to a bug: the same write may succeed later. */
export const isDiskRefusal = (reason: unknown): reason is Error & { readonly code: string } =>
  reason instanceof Error && 'code' in reason && isDiskRefusalCode(String(reason.code))

export const isDiskRefusalCode = (code: string): boolean => REFUSALS.test(code)
