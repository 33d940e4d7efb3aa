/** The shared database cannot be asked just now; the same request may work in a moment. */
export class StoreUnavailable extends Error {
  /** Whether the statement may have been carried out anyway. */
  readonly fateUnknown: boolean
  constructor(reason: string, fateUnknown: boolean) {
    super(reason)
    this.fateUnknown = fateUnknown
  }
}
