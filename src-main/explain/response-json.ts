import { type Bytes, fromBase64url } from '../protocol/bytes.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { showValue } from './describe.ts'
import type { FailureWord } from './failure-words.ts'
import type { Finding } from './step.ts'

/** More than any answer has; the service takes 64 KiB of body at most. */
const MOST_CHARACTERS = 128 * 1024

/** An object's own member; what it inherits is not part of the JSON. */
export const memberOf = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The part both ceremonies share (WebAuthn §5.1.7): who answers, and with what kind of thing. */
export type CredentialJson = {
  readonly id?: string
  readonly rawId?: Bytes
  readonly response?: JsonObject
  readonly clientExtensionResults?: JsonObject
  readonly authenticatorAttachment?: string
  /** About the envelope, about `response`, about the extension results. */
  readonly envelope: readonly Finding[]
  readonly extensions: readonly Finding[]
}

export const parseCredentialJson = (value: unknown): CredentialJson => {
  if (!isObject(value)) {
    const finding = { word: 'malformed_response', expected: 'an object', received: showValue(value) } as const
    return { envelope: [finding], extensions: [] }
  }
  const envelope: Finding[] = []
  const type = memberOf(value, 'type')
  if (type !== 'public-key') {
    envelope.push({ word: 'credential_type_mismatch', expected: '"public-key"', received: showValue(type) })
  }
  const id = memberOf(value, 'id')
  const rawId = memberOf(value, 'rawId')
  const decodedId = credentialId(id, envelope)
  if (decodedId && rawId !== id) {
    envelope.push({ word: 'raw_id_mismatch', expected: showValue(id), received: showValue(rawId) })
  }
  const response = memberOf(value, 'response')
  const results = memberOf(value, 'clientExtensionResults')
  const attachment = memberOf(value, 'authenticatorAttachment')
  if (attachment !== undefined && typeof attachment !== 'string') {
    envelope.push({
      word: 'malformed_response',
      expected: 'authenticatorAttachment as text',
      received: showValue(attachment),
    })
  }
  return {
    ...(decodedId && typeof id === 'string' && { id, rawId: decodedId }),
    ...(isObject(response) && { response }),
    ...(isObject(results) && { clientExtensionResults: results }),
    ...(typeof attachment === 'string' && { authenticatorAttachment: attachment }),
    envelope,
    extensions: isObject(results)
      ? []
      : [{ word: 'client_extension_results_malformed', expected: 'an object', received: showValue(results) }],
  }
}

const credentialId = (id: unknown, findings: Finding[]): Bytes | undefined => {
  if (typeof id !== 'string' || id === '') {
    findings.push({ word: 'credential_id_missing', received: showValue(id) })
    return undefined
  }
  const bytes = id.length <= MOST_CHARACTERS ? fromBase64url(id) : undefined
  if (bytes?.ok) return bytes.value
  findings.push({ word: 'credential_id_malformed', received: showValue(id) })
  return undefined
}

/** A base64url member of `response`, and what is wrong with it. */
export const binaryMember = (response: JsonObject, name: string, findings: Finding[]): Bytes | undefined => {
  const value = memberOf(response, name)
  const refuse = (word: FailureWord, expected: string): undefined => {
    findings.push({ word, expected: `${name}: ${expected}`, received: showValue(value) })
    return undefined
  }
  if (value === undefined) return refuse('response_member_missing', 'base64url text')
  if (typeof value !== 'string') return refuse('response_member_malformed', 'base64url text')
  if (value.length > MOST_CHARACTERS) return refuse('response_too_large', `at most ${MOST_CHARACTERS} characters`)
  const bytes = fromBase64url(value)
  return bytes.ok ? bytes.value : refuse('not_base64url', bytes.error)
}

/** The same for a member that need not be there. */
export const optionalBinaryMember = (response: JsonObject, name: string, findings: Finding[]): Bytes | undefined =>
  memberOf(response, name) === undefined ? undefined : binaryMember(response, name, findings)
