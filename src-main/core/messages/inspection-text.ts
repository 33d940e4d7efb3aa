import { type InspectedKind, UNREAD_KINDS } from '../contract/inspection.ts'
import { textOf } from '../protocol/coded.ts'
import type { Messages } from './messages.ts'

type Named = { readonly kind: InspectedKind; readonly name: string }

export const inspectionTitle = (messages: Messages, kind: InspectedKind): string =>
  kind !== 'empty' && UNREAD_KINDS.has(kind) ? messages.unread.title : messages.inspectionKinds[kind]

export const unreadText = (messages: Messages, kind: InspectedKind): string | undefined =>
  kind === 'text' || kind === 'bytes' ? messages.unread[kind] : undefined

/** Undefined for a code or name without an explanation. */
export const inspectionMeaning = (messages: Messages, { kind, name }: Named): string | undefined => {
  const code = { code: name }
  switch (kind) {
    case 'error-code':
      return `${textOf(messages.errors, code)} ${textOf(messages.advice, code)}`
    case 'failure-word':
      return textOf(messages.failures, code)
    case 'webauthn-error':
      return textOf(messages.webauthnErrors, code)
    default:
      return undefined
  }
}
