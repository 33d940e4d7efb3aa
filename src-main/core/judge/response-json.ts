import type { Evidence } from '../contract/judge/evidence.ts'
import type { FailureWord } from '../contract/judge/failure-words.ts'
import type { Place } from '../contract/judge/verdict.ts'
import { type Base64urlFault, type Bytes, equalBytes, fromBase64url } from '../protocol/bytes.ts'
import { isObject, type JsonObject, withoutUndefined } from '../protocol/json.ts'
import { algorithmName } from './algorithms.ts'
import type { AuthenticatorData } from './authenticator-data.ts'
import type { Finding } from './check-list.ts'
import { member, showBytes, showValue } from './describe.ts'
import { encodeSpki } from './spki.ts'

/** More than any answer has; the service takes 64 KiB of body at most. */
const MAX_CHARACTERS = 128 * 1024

/** An object's own member; what it inherits is not part of the JSON. */
export const ownMember = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

const MEMBER_OF = { registration: 'attestationObject', authentication: 'signature' } as const

/** Recognises an answer to the other ceremony by the member that only its answers have. */
const kindFindings = (response: JsonObject, kind: keyof typeof MEMBER_OF): Finding[] => {
  const other = kind === 'registration' ? 'authentication' : 'registration'
  const isOther =
    ownMember(response, MEMBER_OF[kind]) === undefined && ownMember(response, MEMBER_OF[other]) !== undefined
  return isOther ? [{ word: 'response_kind_mismatch', expected: { code: kind }, received: { code: other } }] : []
}

/** The members that both ceremonies share (WebAuthn §5.1.7). */
type CredentialJson = {
  readonly id?: string
  readonly rawId?: Bytes
  readonly response?: JsonObject
  readonly clientExtensionResults?: JsonObject
  readonly authenticatorAttachment?: string
  /** Findings on the members outside `response`, by the step that reports them. */
  readonly envelope: readonly Finding[]
  readonly extensions: readonly Finding[]
}

const parseCredentialJson = (value: unknown): CredentialJson => {
  if (!isObject(value)) {
    const finding = { word: 'malformed_response', expected: { code: 'object' }, received: showValue(value) } as const
    return { envelope: [finding], extensions: [] }
  }
  const envelope: Finding[] = []
  const type = ownMember(value, 'type')
  if (type !== 'public-key') {
    envelope.push({ word: 'credential_type_mismatch', expected: '"public-key"', received: showValue(type) })
  }
  const id = ownMember(value, 'id')
  const rawId = ownMember(value, 'rawId')
  const decodedId = credentialId(id, envelope)
  if (decodedId && rawId !== id) {
    envelope.push({ word: 'raw_id_mismatch', expected: showValue(id), received: showValue(rawId) })
  }
  const response = ownMember(value, 'response')
  const results = ownMember(value, 'clientExtensionResults')
  const attachment = ownMember(value, 'authenticatorAttachment')
  if (attachment !== undefined && typeof attachment !== 'string') {
    envelope.push({
      word: 'malformed_response',
      expected: member('authenticatorAttachment', 'text'),
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
      : [{ word: 'client_extension_results_malformed', expected: { code: 'object' }, received: showValue(results) }],
  }
}

const credentialId = (id: unknown, findings: Finding[]): Bytes | undefined => {
  if (typeof id !== 'string' || id === '') {
    findings.push({ word: 'credential_id_missing', received: showValue(id) })
    return undefined
  }
  const bytes = id.length <= MAX_CHARACTERS ? fromBase64url(id) : undefined
  if (bytes?.ok) return bytes.value
  findings.push({ word: 'credential_id_malformed', received: showValue(id) })
  return undefined
}

const notBase64url = (name: string, fault: Base64urlFault): Evidence =>
  fault.fault === 'character'
    ? { code: 'base64url_character', params: { name, at: fault.at } }
    : { code: fault.fault === 'length' ? 'base64url_length' : 'base64url_last_bits', params: { name } }

const binaryMember = (response: JsonObject, name: string, findings: Finding[]): Bytes | undefined => {
  const value = ownMember(response, name)
  const refuse = (word: FailureWord, expected: Evidence): undefined => {
    findings.push({ word, expected, received: showValue(value) })
    return undefined
  }
  if (value === undefined) return refuse('response_member_missing', member(name, 'base64url'))
  if (typeof value !== 'string') return refuse('response_member_malformed', member(name, 'base64url'))
  if (value.length > MAX_CHARACTERS) {
    return refuse('response_too_large', { code: 'member_at_most', params: { name, count: MAX_CHARACTERS } })
  }
  const bytes = fromBase64url(value)
  return bytes.ok ? bytes.value : refuse('not_base64url', notBase64url(name, bytes.error))
}

type Binary<Name extends string> = { readonly [N in Name]?: Bytes }

type AnswerJson<Name extends string> = CredentialJson &
  Binary<Name> & {
    /** About the members of `response`. */
    readonly members: Finding[]
  }

/** The octets in an answer's `response`; a missing optional member is not a finding. */
const parseAnswer = <Name extends string>(
  value: unknown,
  kind: keyof typeof MEMBER_OF,
  { required, optional }: { readonly required: readonly Name[]; readonly optional: readonly Name[] },
): AnswerJson<Name> => {
  const credential = parseCredentialJson(value)
  const { response } = credential
  const none = {} as Binary<Name>
  if (response === undefined) {
    return { ...credential, ...none, members: [{ word: 'response_member_missing', expected: 'response' }] }
  }
  const members = kindFindings(response, kind)
  const present = [...required, ...optional.filter((name) => ownMember(response, name) !== undefined)]
  const binary = present.map((name) => [name, binaryMember(response, name, members)] as const)
  return { ...credential, ...(withoutUndefined(Object.fromEntries(binary)) as Binary<Name>), members }
}

/** The readable part of an AuthenticationResponseJSON (WebAuthn §5.1.7). */
export const parseAuthenticationJson = (value: unknown) =>
  parseAnswer(value, 'authentication', {
    required: ['clientDataJSON', 'authenticatorData', 'signature'],
    optional: ['userHandle'],
  })

export type AuthenticationJson = ReturnType<typeof parseAuthenticationJson>

export type RegistrationJson = ReturnType<typeof parseRegistrationJson>

const MAX_TRANSPORTS = 32

/** The readable part of a RegistrationResponseJSON (WebAuthn §5.1.7). */
export const parseRegistrationJson = (value: unknown) => {
  const answer = parseAnswer(value, 'registration', {
    required: ['clientDataJSON', 'attestationObject'],
    optional: ['authenticatorData', 'publicKey'],
  })
  const { response = {}, members } = answer
  const algorithm = ownMember(response, 'publicKeyAlgorithm')
  const malformed = (expected: Evidence, value: unknown) =>
    members.push({ word: 'response_member_malformed', expected, received: showValue(value) })
  if (algorithm !== undefined && typeof algorithm !== 'number')
    malformed(member('publicKeyAlgorithm', 'number'), algorithm)
  const transports = ownMember(response, 'transports') ?? []
  const named = isTransports(transports)
  if (!named) malformed(member('transports', 'names'), transports)
  const publicKeyAlgorithm = typeof algorithm === 'number' ? algorithm : undefined
  return { ...answer, publicKeyAlgorithm, transports: named ? transports : [] }
}

const isTransports = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= MAX_TRANSPORTS &&
  value.every((name) => typeof name === 'string' && name.length <= 64)

/** The answer's other members must match the attestation object (WebAuthn §5.2.1.1); only the latter is signed. */
export const agreementFindings = (answer: RegistrationJson, data: AuthenticatorData): readonly Finding[] => {
  const findings: Finding[] = []
  const compare = (
    word: FailureWord,
    { expected, received, ...place }: { expected: Bytes | undefined; received: Bytes | undefined; at?: Place },
  ): void => {
    if (expected && received && !equalBytes(expected, received))
      findings.push({ word, expected: showBytes(expected), received: showBytes(received), ...place })
  }
  const { attested } = data
  if (attested) {
    const at = { part: 'authenticatorData', ...attested.credentialIdRange } as const
    compare('credential_id_mismatch', { expected: attested.credentialId, received: answer.rawId, at })
  }
  compare('authenticator_data_mismatch', { expected: data.bytes, received: answer.authenticatorData })
  const key = attested?.key
  if (key === undefined) return findings
  const { publicKey, publicKeyAlgorithm } = answer
  compare('public_key_mismatch', { expected: publicKey && encodeSpki(key.key), received: publicKey })
  if (publicKeyAlgorithm !== undefined && publicKeyAlgorithm !== key.algorithm) {
    const [expected, received] = [algorithmName(key.algorithm), algorithmName(publicKeyAlgorithm)]
    findings.push({ word: 'public_key_algorithm_mismatch', expected, received })
  }
  return findings
}
