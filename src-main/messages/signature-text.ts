import type { SignatureState } from '../contract/control/states.ts'
import type { Messages } from './messages.ts'
import { textOf } from './text.ts'

/** The mistakes by which a signature came about, or what speaks for a cause; empty where nothing was found. */
export const signatureText = (messages: Messages, { mistakes, signed_well }: SignatureState): string =>
  signed_well === undefined
    ? mistakes.map(({ id, note }) => mistakeText(messages, id, note)).join(' ')
    : textOf(messages.signingEvidence, { code: 'body_changed', params: { seq: signed_well } })

const mistakeText = (messages: Messages, code: string, note: string | undefined): string =>
  `${textOf(messages.signingMistakes, { code })}${note === undefined ? '' : ` (${note})`}`
