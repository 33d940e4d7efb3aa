import type { RpVerdict } from '../contract/rp-care.ts'
import type { MessageState } from '../protocol/message-state.ts'

/** What stands in the timeline, so that the service finds what the page shows. */
export type TimelineWords = {
  readonly states: Readonly<Record<MessageState, string>>
  readonly register: string
  readonly signIn: string
  readonly calls: string
  readonly callsSub: string
  readonly by: Readonly<Record<'qrcode' | 'push', string>>
  readonly method: Readonly<Record<'qrcode' | 'push', string>>
  readonly left: (time: string) => string
  readonly refusedAnswer: string
  /** By which a failed request is found. */
  readonly failedWord: string
  /** What the RP made of a result that a fault of the service changed. */
  readonly told: Readonly<Record<RpVerdict, string>>
  readonly why: string
  readonly disagree: string
  readonly folded: (count: number) => string
  /** What an exchange is in plain words, by method and route. */
  readonly words: Readonly<Record<string, string>>
  readonly read: string
  readonly otherCall: string
  readonly lanes: Readonly<Record<'rp' | 'service' | 'phone', string>>
}
