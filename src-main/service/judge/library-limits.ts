import { algorithmName } from '../../explain/algorithms.ts'
import { decodeAttestationObject } from '../../explain/attestation-object.ts'
import { parseAuthenticationJson } from '../../explain/authentication-json.ts'
import { type AuthenticatorData, decodeAuthenticatorData } from '../../explain/authenticator-data.ts'
import { type CborItem, entryOf } from '../../explain/cbor.ts'
import type { RegistrationCase, StoredCredential } from '../../explain/ceremony-case.ts'
import { type Certificate, decodeCertificate, EXTENSION } from '../../explain/certificate.ts'
import { parseRegistrationJson } from '../../explain/registration-json.ts'
import { type Bytes, equalBytes } from '../../protocol/bytes.ts'
import type { Millis } from '../../protocol/time.ts'

/** ES256K, Ed448 and the fully specified numbers, which @simplewebauthn/server does not know. */
const UNKNOWN_ALGORITHMS: ReadonlySet<number> = new Set([-47, -53, -9, -51, -52, -19])

const PSS: ReadonlySet<number> = new Set([-37, -38, -39])

/** Certificate keys it can read: P-256, P-384, RSA and ML-DSA. */
const readsKey = ({ key }: Certificate): boolean =>
  key === undefined || key.kty === 'RSA' || key.kty === 'AKP' || (key.kty === 'EC2' && READ_CURVES.has(key.crv))
const READ_CURVES: ReadonlySet<string> = new Set(['P-256', 'P-384'])

export const authenticationLimit = (stored: StoredCredential, response: unknown): string | undefined => {
  if (UNKNOWN_ALGORITHMS.has(stored.algorithm)) return `It does not know ${algorithmName(stored.algorithm)}.`
  const { authenticatorData } = parseAuthenticationJson(response)
  return extensionLimit(authenticatorData && decodeAuthenticatorData(authenticatorData).value)
}

const extensionLimit = (data: AuthenticatorData | undefined): string | undefined =>
  data?.extensions && !readsCbor(data.extensions) ? 'It does not read half floats and integers from 2^53.' : undefined

const readsCbor = (item: CborItem): boolean => {
  if (item.type === 'array') return item.items.every(readsCbor)
  if (item.type === 'map') return item.entries.every(({ key, value }) => readsCbor(key) && readsCbor(value))
  const isHalf = item.type === 'float' && item.end - item.start === 3
  return !isHalf && !(item.type === 'integer' && typeof item.value === 'bigint')
}

/** Why the library should not be asked about a registration: beyond its means, or at odds with ours by design. */
export const registrationLimit = (input: RegistrationCase, wall: Millis): string | undefined => {
  const { attestationObject } = parseRegistrationJson(input.response)
  const object = attestationObject && decodeAttestationObject(attestationObject).value
  if (object === undefined) return undefined
  const data = object.authenticatorData && decodeAuthenticatorData(object.authenticatorData).value
  const algorithm = data?.attested?.key?.algorithm
  if (algorithm !== undefined && UNKNOWN_ALGORITHMS.has(algorithm))
    return `It does not know ${algorithmName(algorithm)}.`
  const extensions = extensionLimit(data)
  if (extensions !== undefined) return extensions
  if (object.format === 'android-safetynet') return 'It wants SafetyNet responses of the last minute of the real clock.'
  const x5c = object.statement && entryOf(object.statement, 'x5c')
  const chain =
    x5c?.type === 'array' ? x5c.items.flatMap((item) => (item.type === 'bytes' ? certificateOf(item.value) : [])) : []
  const alg = object.statement && entryOf(object.statement, 'alg')
  if (chain[0]?.key?.kty === 'RSA' && alg?.type === 'integer' && PSS.has(Number(alg.value))) {
    return 'It takes every RSA key in a certificate for one of PKCS #1.'
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
}): string | undefined => {
  const { chain, format, input, wall } = attestation
  const [leaf] = chain
  const last = chain.at(-1)
  if (leaf === undefined || last === undefined) return undefined
  if (!readsKey(leaf)) return 'It does not read attestation certificates with such a key.'
  if (chain.some((certificate) => certificate.extensions.has(EXTENSION.crlDistributionPoints))) {
    return 'A certificate names a revocation list, which it would fetch.'
  }
  const roots = input.attestation === 'require-trusted' ? input.roots.flatMap(certificateOf) : []
  if ([...chain, ...roots].some((certificate) => isInForce(certificate, wall) !== isInForce(certificate, input.now))) {
    return 'It reads the real clock, by which the certificates stand otherwise than by the workspace’s.'
  }
  const selfIssued = chain.length > 1 && equalBytes(last.issuer.bytes, last.subject.bytes)
  if (format === 'android-key' && !selfIssued) return 'It wants the root in the chain of an Android key.'
  const bringsRoot = roots.some((root) => chain.some((certificate) => equalBytes(root.bytes, certificate.bytes)))
  if (format !== 'android-key' && bringsRoot) return 'It takes a root that comes with the chain for a duplicate.'
  return undefined
}

const isInForce = ({ notBefore, notAfter }: Certificate, time: Millis): boolean => time >= notBefore && time <= notAfter
