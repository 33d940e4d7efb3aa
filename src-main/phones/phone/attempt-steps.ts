import type { MessageKind } from '../../core/protocol/message-address.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { AppAnswer, Conduct } from './app-client.ts'
import type { BoundMessage } from './bound-message.ts'
import type { PhoneRefusal } from './phone-refusal.ts'
import type { Prompt } from './phone-state.ts'

/** The steps of a phone towards the service in one attempt; an armed fault changes a step. */

export type OpenInput = {
  readonly msgId: string
  /** As the address has it; the service's word counts. */
  readonly kind: MessageKind
  readonly url: string
  /** Unix seconds, if known before binding: a push has it. */
  readonly expiresAt?: number | undefined
  readonly cameBy: Prompt['came_by']
  /** The origin of the page that showed the code, if it is not the RP's. */
  readonly seenOn?: string | undefined
}

export type Bind = () => Promise<Result<BoundMessage, PhoneRefusal>>

export type Upload = {
  readonly msgId: string
  readonly kind: MessageKind
  readonly body: Readonly<Record<string, unknown>>
  readonly credentialId: string
  /** The token of another device. */
  readonly token?: string
  readonly conduct?: Conduct
}

export type Send = (upload: Upload) => Promise<Result<AppAnswer, PhoneRefusal>>
