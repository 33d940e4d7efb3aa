import { type Bytes, equalBytes } from '../protocol/bytes.ts'
import { algorithmName } from './algorithms.ts'
import type { AuthenticatorData } from './authenticator-data.ts'
import type { Finding } from './check-list.ts'
import { showBytes, showValue } from './describe.ts'
import {
  binaryMember,
  type CredentialJson,
  kindFindings,
  memberOf,
  optionalBinaryMember,
  parseCredentialJson,
} from './response-json.ts'
import { encodeSpki } from './spki.ts'

export type RegistrationJson = CredentialJson & {
  readonly clientDataJSON?: Bytes
  readonly attestationObject?: Bytes
  readonly authenticatorData?: Bytes
  readonly publicKey?: Bytes
  readonly publicKeyAlgorithm?: number
  readonly transports: readonly string[]
  /** About the members of `response`. */
  readonly members: readonly Finding[]
}

const MOST_TRANSPORTS = 32

/** The readable part of a RegistrationResponseJSON (WebAuthn §5.1.7). */
export const parseRegistrationJson = (value: unknown): RegistrationJson => {
  const credential = parseCredentialJson(value)
  const { response } = credential
  if (response === undefined) {
    return { ...credential, transports: [], members: [{ word: 'response_member_missing', expected: 'response' }] }
  }
  const members = kindFindings(response, 'registration')
  const clientDataJSON = binaryMember(response, 'clientDataJSON', members)
  const attestationObject = binaryMember(response, 'attestationObject', members)
  const authenticatorData = optionalBinaryMember(response, 'authenticatorData', members)
  const publicKey = optionalBinaryMember(response, 'publicKey', members)
  const algorithm = memberOf(response, 'publicKeyAlgorithm')
  if (algorithm !== undefined && typeof algorithm !== 'number') {
    const expected = { code: 'member', params: { name: 'publicKeyAlgorithm', type: 'number' } } as const
    members.push({ word: 'response_member_malformed', expected, received: showValue(algorithm) })
  }
  const transports = memberOf(response, 'transports') ?? []
  const named = isTransports(transports)
  if (!named) {
    const expected = { code: 'member', params: { name: 'transports', type: 'names' } } as const
    members.push({ word: 'response_member_malformed', expected, received: showValue(transports) })
  }
  return {
    ...credential,
    ...(clientDataJSON && { clientDataJSON }),
    ...(attestationObject && { attestationObject }),
    ...(authenticatorData && { authenticatorData }),
    ...(publicKey && { publicKey }),
    ...(typeof algorithm === 'number' && { publicKeyAlgorithm: algorithm }),
    transports: named ? transports : [],
    members,
  }
}

const isTransports = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= MOST_TRANSPORTS &&
  value.every((name) => typeof name === 'string' && name.length <= 64)

/** The answer's other members must match the attestation object (WebAuthn §5.2.1.1); only the latter is signed. */
export const agreementFindings = (answer: RegistrationJson, data: AuthenticatorData): readonly Finding[] => {
  const findings: Finding[] = []
  const { attested } = data
  if (attested && answer.rawId && !equalBytes(attested.credentialId, answer.rawId)) {
    findings.push({
      word: 'credential_id_mismatch',
      expected: showBytes(attested.credentialId),
      received: showBytes(answer.rawId),
      at: { part: 'authenticatorData', ...attested.credentialIdRange },
    })
  }
  if (answer.authenticatorData && !equalBytes(answer.authenticatorData, data.bytes)) {
    const received = showBytes(answer.authenticatorData)
    findings.push({ word: 'authenticator_data_mismatch', expected: showBytes(data.bytes), received })
  }
  const key = attested?.key
  if (key === undefined) return findings
  const spki = answer.publicKey && encodeSpki(key.key)
  if (spki && answer.publicKey && !equalBytes(answer.publicKey, spki)) {
    findings.push({ word: 'public_key_mismatch', expected: showBytes(spki), received: showBytes(answer.publicKey) })
  }
  if (answer.publicKeyAlgorithm !== undefined && answer.publicKeyAlgorithm !== key.algorithm) {
    findings.push({
      word: 'public_key_algorithm_mismatch',
      expected: algorithmName(key.algorithm),
      received: algorithmName(answer.publicKeyAlgorithm),
    })
  }
  return findings
}
