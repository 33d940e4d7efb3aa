/** The last call that the service refused. */
export type RefusedCall = { readonly seq: number; readonly code: number }

/** How far one RP’s own server has come. Calls of the RP simulator do not count. */
export type OwnServer = {
  /** Its latest call that was signed as it should be, whatever the answer. */
  readonly signed: number
  readonly refused?: RefusedCall
  /** The newest message that it asked for. */
  readonly asked?: string
  readonly scanned?: true
  /** The message of the first sign-in whose result it has read. */
  readonly signedIn?: string
}

export type OwnCalls = {
  readonly byRp: Readonly<Record<string, OwnServer>>
  /** Calls that are nobody’s as long as no signature holds, by the access key that they name; '' where they name none. */
  readonly byKey: Readonly<Record<string, RefusedCall>>
  /** An RP has called, whichever. */
  readonly any: boolean
}

export const newOwnCalls = (): OwnCalls => ({ byRp: {}, byKey: {}, any: false })
