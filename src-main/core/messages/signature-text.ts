import type { SignatureState } from '../contract/control/states.ts'
import { textOf } from '../protocol/coded.ts'
import type { Messages } from './messages.ts'

/** The mistakes that would produce this signature, or the evidence for another cause; empty if neither was found. */
export const signatureText = (messages: Messages, explanation: SignatureState): string => {
  const { outcome, mistakes, difference, signed_well, access_key_id: key } = explanation
  if (signed_well !== undefined)
    return textOf(messages.signingEvidence, { code: 'body_changed', params: { seq: signed_well } })
  if (outcome === 'unexplained' && difference === undefined && key !== undefined)
    return textOf(messages.signingEvidence, { code: 'other_secret', params: { key } })
  return mistakes.map(({ id, note }) => mistakeText(messages, id, note)).join(' ')
}

const mistakeText = (messages: Messages, code: string, note: string | undefined): string =>
  `${textOf(messages.signingMistakes, { code })}${note === undefined ? '' : ` (${note})`}`
