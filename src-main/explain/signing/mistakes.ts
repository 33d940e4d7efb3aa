import { addressMistakes } from './address-mistakes.ts'
import { headerMistakes } from './header-mistakes.ts'
import { keyMistakes } from './key-mistakes.ts'
import type { Mistake, MistakeTable } from './mistake.ts'
import { payloadMistakes } from './payload-mistakes.ts'
import { textMistakes } from './text-mistakes.ts'

/** Likelier ones first: the first that explains a signature is named. */
export const signingMistakes = {
  ...headerMistakes,
  ...payloadMistakes,
  ...addressMistakes,
  ...textMistakes,
  ...keyMistakes,
} as const satisfies MistakeTable

export type MistakeId = keyof typeof signingMistakes

export const mistakeIds = Object.keys(signingMistakes) as readonly MistakeId[]

export const mistakeOf = (id: MistakeId): Mistake => signingMistakes[id]

export const mistakeSentences = Object.fromEntries(mistakeIds.map((id) => [id, mistakeOf(id).sentence])) as Readonly<
  Record<MistakeId, string>
>
