import { type Bytes, utf8 } from '../../core/protocol/bytes.ts'
import { escapeForJson, withoutUndefined } from '../../core/protocol/json.ts'
import type { Base64url } from '../../core/protocol/webauthn-json.ts'

/** CollectedClientData, members in the order in which they are written. Faults may put anything in. */
export type ClientDataDraft = { readonly [member: string]: unknown }

type Asked = { readonly origin: string; readonly crossOrigin?: boolean; readonly topOrigin?: string }

export const draftClientData = (
  type: 'webauthn.create' | 'webauthn.get',
  challenge: Base64url,
  { origin, crossOrigin = false, topOrigin }: Asked,
): ClientDataDraft => ({ type, challenge, origin, crossOrigin, ...withoutUndefined({ topOrigin }) })

// WebAuthn §5.8.1.2, CCDToString: only the quote, the backslash and controls are escaped, controls as \u00xx.
const escapeText = (text: string): string => {
  const escaped = text.replace(/["\\]/g, '\\$&').replace(/[^ -\uffff]/g, escapeForJson)
  return `"${escaped}"`
}

const valueText = (value: unknown): string => (typeof value === 'string' ? escapeText(value) : JSON.stringify(value))

/** WebAuthn §5.8.1.1: the serialisation with a fixed beginning, so that a limited verifier can compare bytes. */
export const encodeClientData = (draft: ClientDataDraft): Bytes => {
  const members = Object.entries(draft).filter(([, value]) => value !== undefined)
  return utf8(`{${members.map(([name, value]) => `${escapeText(name)}:${valueText(value)}`).join(',')}}`)
}

/** WebAuthn §5.1.3 step 8: a web origin may use its own host or a parent domain of it. Other origins are apps. */
export const rpIdFitsOrigin = (input: { readonly rpId: string; readonly origin: string }): boolean => {
  const match = /^https?:\/\/(\[[^\]]*\]|[^/:]*)(?::\d+)?$/.exec(input.origin)
  const host = match?.[1]
  return host === undefined || host === input.rpId || host.endsWith(`.${input.rpId}`)
}
