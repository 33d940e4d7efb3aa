import type { PhoneWord } from '../contract/phone-words.ts'
import type { Prompt } from './phone-state.ts'

export type PhoneRefusal = {
  readonly word: PhoneWord
  /** What was got, where that helps. Shown as it is. */
  readonly detail?: string
  /** The envelope's code when it was the service that refused. */
  readonly code?: number
  /** Not the way there or back, but the phone's own authenticator: it will not answer this at all. */
  readonly by?: 'authenticator'
}

export const refusePhone = (
  word: PhoneWord,
  { detail = '', code }: { readonly detail?: string; readonly code?: number } = {},
): PhoneRefusal => ({
  word,
  ...(detail === '' ? {} : { detail }),
  ...(code === undefined ? {} : { code }),
})

/** What a phone shows of it, with the prompt that it was about. */
export const problemOf = ({ word, detail }: PhoneRefusal, prompt?: Prompt) =>
  ({
    kind: 'problem',
    word,
    ...(detail === undefined ? {} : { detail }),
    ...(prompt === undefined ? {} : { prompt }),
  }) as const
