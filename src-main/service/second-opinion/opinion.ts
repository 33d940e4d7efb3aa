import type { OpinionGiver, OpinionWords } from '../../core/contract/judge/opinion.ts'

/** What another library says of a ceremony, or why none was asked. */
export type Opinion =
  | {
      readonly heard: true
      readonly by: OpinionGiver
      readonly accepts: boolean
      readonly reason?: string | OpinionWords
    }
  | { readonly heard: false; readonly why: OpinionWords }
