import type { SigningMistake } from '../../contract/signing-mistakes.ts'
import { addressMistakes } from './address-mistakes.ts'
import { headerMistakes } from './header-mistakes.ts'
import { keyMistakes } from './key-mistakes.ts'
import type { Mistake } from './mistake.ts'
import { payloadMistakes } from './payload-mistakes.ts'
import { textMistakes } from './text-mistakes.ts'

export const signingMistakes: Readonly<Record<SigningMistake, Mistake>> = {
  ...headerMistakes,
  ...payloadMistakes,
  ...addressMistakes,
  ...textMistakes,
  ...keyMistakes,
}
