import type { RpDoubt, RpVerdict } from '../../core/contract/rp-care.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'

/** What the RP asked for. */
export type Asked = { readonly ceremony: MessageKind; readonly user_id: string }

/** What an RP makes of one answer, and whose account it shows from then on. */
export type RpDecision = {
  readonly made: RpVerdict
  readonly account?: string
  readonly doubt?: RpDoubt
  /** Whom the answer names instead. */
  readonly named?: string
}

export const WAITS: RpDecision = { made: 'waits' }
