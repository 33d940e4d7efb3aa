import type { PhoneWord } from '../../core/contract/phone-words.ts'
import type { Reason } from '../../core/contract/reasons.ts'
import type { Prompt } from './phone-state.ts'

export type PhoneRefusal = {
  readonly word: PhoneWord
  /** The received and the expected value, where that helps. */
  readonly reason?: Reason
  /** The envelope's code when it was the service that refused. */
  readonly code?: number
  /** Not the way there or back, but the phone's own authenticator: it will not answer this at all. */
  readonly by?: 'authenticator'
}

export const refusePhone = (
  word: PhoneWord,
  { reason, code }: { readonly reason?: Reason | undefined; readonly code?: number } = {},
): PhoneRefusal => ({
  word,
  ...(reason === undefined ? {} : { reason }),
  ...(code === undefined ? {} : { code }),
})

/** The phone's screen for it, with the prompt that it was about. */
export const problemOf = ({ word, reason, code }: PhoneRefusal, prompt?: Prompt) =>
  ({
    kind: 'problem',
    word,
    ...(reason === undefined ? {} : { reason }),
    ...(code === undefined ? {} : { service_code: code }),
    ...(prompt === undefined ? {} : { prompt }),
  }) as const
