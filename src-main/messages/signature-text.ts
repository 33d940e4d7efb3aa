import type { SignatureState } from '../contract/control/states.ts'
import type { Messages } from './messages.ts'
import { textOf } from './text.ts'

/** The mistakes by which a signature came about; empty where none was found. */
export const signatureText = (messages: Messages, { mistakes }: SignatureState): string =>
  mistakes
    .map(({ id, note }) => `${textOf(messages.signingMistakes, { code: id })}${note === undefined ? '' : ` (${note})`}`)
    .join(' ')
