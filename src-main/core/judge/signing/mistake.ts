import { mapValues } from '../../protocol/json.ts'
import type { Draft, SignedMessage, SigningCrypto, SigningKeyCandidate } from './draft.ts'

export type MistakeContext = {
  readonly message: SignedMessage
  readonly key: SigningKeyCandidate
  readonly others: readonly SigningKeyCandidate[]
  readonly crypto: SigningCrypto
}

/** `note`: a detail that no line of the texts shows, such as the ID of the key used. */
export type DraftChange = Partial<Draft> & { readonly note?: string }

export type Mistake = {
  /** Two mistakes of one part are not combined. */
  readonly part:
    | 'method'
    | 'path'
    | 'query'
    | 'host'
    | 'headers'
    | 'list'
    | 'payload'
    | 'text'
    | 'date'
    | 'scope'
    | 'key'
  readonly changes: (draft: Draft, context: MistakeContext) => readonly DraftChange[]
}

export const defineMistakes = <N extends string>(
  part: Mistake['part'],
  table: Readonly<Record<N, Mistake['changes']>>,
) => mapValues(table, (changes): Mistake => ({ part, changes }))
