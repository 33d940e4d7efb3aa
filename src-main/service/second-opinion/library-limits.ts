import type { OpinionWords } from '../../core/contract/judge/opinion.ts'
import { algorithmName, findAlgorithm } from '../../core/judge/algorithms.ts'
import { decodeAttestationObject } from '../../core/judge/attestation-object.ts'
import { parseAuthenticationJson } from '../../core/judge/authentication-json.ts'
import { type AuthenticatorData, decodeAuthenticatorData } from '../../core/judge/authenticator-data.ts'
import { type CborItem, entryOf } from '../../core/judge/cbor.ts'
import type { RegistrationCase, StoredCredential } from '../../core/judge/ceremony-case.ts'
import { type Certificate, decodeCertificate, EXTENSION } from '../../core/judge/certificate.ts'
import type { CoseKey } from '../../core/judge/cose-key.ts'
import { parseRegistrationJson } from '../../core/judge/registration-json.ts'
import { type Bytes, equalBytes } from '../../core/protocol/bytes.ts'
import type { Millis } from '../../core/protocol/time.ts'
import { hasKind } from './node-crypto.ts'

/** ES256K, Ed448 and the fully specified numbers, which @simplewebauthn/server does not know. */
const UNKNOWN_ALGORITHMS: ReadonlySet<number> = new Set([-47, -53, -9, -51, -52, -19])

/** Also ML-DSA where the runtime has none: the library verifies with its WebCrypto. */
const isUnknown = (algorithm: number): boolean => {
  const known = findAlgorithm(algorithm)
  if (known?.kty !== 'AKP') return UNKNOWN_ALGORITHMS.has(algorithm)
  return !hasKind({ kty: 'AKP', name: known.name, pub: new Uint8Array(known.keyLength) })
}

const unknown = (algorithm: number): OpinionWords => ({
  code: 'algorithm_not_known',
  params: { algorithm: algorithmName(algorithm) },
})

const PSS: ReadonlySet<number> = new Set([-37, -38, -39])

/** Certificate keys it can read: P-256, P-384, RSA and ML-DSA. */
const readsKey = ({ key }: Certificate): boolean =>
  key === undefined || key.kty === 'RSA' || key.kty === 'AKP' || (key.kty === 'EC2' && READ_CURVES.has(key.crv))
const READ_CURVES: ReadonlySet<string> = new Set(['P-256', 'P-384'])

export const authenticationLimit = (stored: StoredCredential, response: unknown): OpinionWords | undefined => {
  if (isUnknown(stored.algorithm)) return unknown(stored.algorithm)
  const { authenticatorData } = parseAuthenticationJson(response)
  return extensionLimit(authenticatorData && decodeAuthenticatorData(authenticatorData).value)
}

const extensionLimit = (data: AuthenticatorData | undefined): OpinionWords | undefined =>
  data?.extensions && !readsCbor(data.extensions) ? { code: 'numbers_not_read' } : undefined

const readsCbor = (item: CborItem): boolean => {
  if (item.type === 'array') return item.items.every(readsCbor)
  if (item.type === 'map') return item.entries.every(({ key, value }) => readsCbor(key) && readsCbor(value))
  const isHalf = item.type === 'float' && item.end - item.start === 3
  return !isHalf && !(item.type === 'integer' && typeof item.value === 'bigint')
}

/** The key that a registration brings, where it can be read. */
export const attestedKey = (input: RegistrationCase): CoseKey | undefined => {
  const { attestationObject } = parseRegistrationJson(input.response)
  const data = attestationObject && decodeAttestationObject(attestationObject).value?.authenticatorData
  return data && decodeAuthenticatorData(data).value?.attested?.key
}

/** Why the library should not be asked about a registration: beyond its means, or at odds with ours by design. */
export const registrationLimit = (input: RegistrationCase, wall: Millis): OpinionWords | undefined => {
  const { attestationObject } = parseRegistrationJson(input.response)
  const object = attestationObject && decodeAttestationObject(attestationObject).value
  if (object === undefined) return undefined
  const data = object.authenticatorData && decodeAuthenticatorData(object.authenticatorData).value
  const algorithm = data?.attested?.key?.algorithm
  if (algorithm !== undefined && isUnknown(algorithm)) return unknown(algorithm)
  const extensions = extensionLimit(data)
  if (extensions !== undefined) return extensions
  if (object.format === 'android-safetynet') return { code: 'safetynet_by_real_clock' }
  if (object.format === 'compound') return { code: 'compound_not_known' }
  const x5c = object.statement && entryOf(object.statement, 'x5c')
  const chain =
    x5c?.type === 'array' ? x5c.items.flatMap((item) => (item.type === 'bytes' ? certificateOf(item.value) : [])) : []
  const alg = object.statement && entryOf(object.statement, 'alg')
  if (chain[0]?.key?.kty === 'RSA' && alg?.type === 'integer' && PSS.has(Number(alg.value))) {
    return { code: 'rsa_taken_for_pkcs1' }
  }
  return chainLimit({ chain, format: object.format, input, wall })
}

const certificateOf = (bytes: Bytes): readonly Certificate[] => {
  const certificate = decodeCertificate(bytes)
  return certificate.ok ? [certificate.value] : []
}

const chainLimit = (attestation: {
  readonly chain: readonly Certificate[]
  readonly format: string | undefined
  readonly input: RegistrationCase
  readonly wall: Millis
}): OpinionWords | undefined => {
  const { chain, format, input, wall } = attestation
  const [leaf] = chain
  const last = chain.at(-1)
  if (leaf === undefined || last === undefined) return undefined
  if (!readsKey(leaf)) return { code: 'certificate_key_not_read' }
  if (chain.some((certificate) => certificate.extensions.has(EXTENSION.crlDistributionPoints))) {
    return { code: 'revocation_list_named' }
  }
  const roots = input.attestation === 'require-trusted' ? input.roots.flatMap(certificateOf) : []
  if ([...chain, ...roots].some((certificate) => isInForce(certificate, wall) !== isInForce(certificate, input.now))) {
    return { code: 'certificates_by_real_clock' }
  }
  const selfIssued = chain.length > 1 && equalBytes(last.issuer.bytes, last.subject.bytes)
  if (format === 'android-key' && !selfIssued) return { code: 'android_root_wanted' }
  const bringsRoot = roots.some((root) => chain.some((certificate) => equalBytes(root.bytes, certificate.bytes)))
  if (format !== 'android-key' && bringsRoot) return { code: 'root_taken_for_duplicate' }
  return undefined
}

const isInForce = ({ notBefore, notAfter }: Certificate, time: Millis): boolean => time >= notBefore && time <= notAfter
