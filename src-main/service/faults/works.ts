import type { RpOperation } from '../../core/contract/rp/routes.ts'
import type { JsonObject } from '../../core/protocol/json.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { RawResponse } from '../../http/message.ts'
import type { ParsedInput } from '../request/parse-input.ts'

/** Facts that a fault may use about the call. */
export type About = {
  readonly operation: RpOperation
  readonly input: ParsedInput
  /** The correct user for the answer: the message's, or the call's. */
  readonly user_id: string
  readonly baseUrl: string
  /** The address of another message that the RP has under way, if there is one. */
  readonly otherUrl: string | undefined
  readonly parameters: Readonly<Record<string, string | number>>
  /** For faults that delay octets. */
  readonly wall: Clock
}

/** An answer on its way: an envelope until it is written, octets from then on. */
type Head = Pick<RawResponse, 'status' | 'headers'>

/**
 * The works of a fault: one change at each stage of an answer. A stage that is absent stays honest. The result may have
 * any form, since a fault may break the format.
 */
export type Works = {
  /** Replaces the input of the call. */
  readonly ask?: (input: ParsedInput) => ParsedInput
  /** `data` of the envelope; a refusal is answered as a success. */
  readonly facts?: (data: JsonObject, about: About) => unknown
  readonly envelope?: (envelope: JsonObject, about: About) => unknown
  readonly text?: (text: string, about: About) => string | Uint8Array
  readonly head?: (head: Head, about: About) => Head
  readonly wire?: (response: RawResponse, about: About) => RawResponse
}
