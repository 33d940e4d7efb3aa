import type { Draft, SignedMessage, SigningCrypto, SigningKeyCandidate } from './draft.ts'

export type MistakeContext = {
  readonly message: SignedMessage
  /** The key that signs the draft. */
  readonly key: SigningKeyCandidate
  readonly others: readonly SigningKeyCandidate[]
  readonly crypto: SigningCrypto
}

/** One way of going wrong; each change is a place where it can show. `note` says which, for what no line shows. */
export type Change = Partial<Draft> & { readonly note?: string }

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
  /** Too many to be tried together with others. */
  readonly alone?: true
  readonly changes: (draft: Draft, context: MistakeContext) => readonly Change[]
}

export type MistakeTable = Readonly<Record<string, Mistake>>
