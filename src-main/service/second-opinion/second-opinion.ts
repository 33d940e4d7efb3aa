import type { Crypto } from '@peculiar/webcrypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON, RootCertIdentifier } from '@simplewebauthn/server'
import { OPINION_GIVERS, type OpinionGiver, type OpinionWords } from '../../core/contract/judge/opinion.ts'
import type { SecondOpinion } from '../../core/contract/judge/verdict.ts'
import {
  algorithmName,
  type CoseAlgorithm,
  coordinateSize,
  type EcCurve,
  findAlgorithm,
  type HashName,
  type PublicKey,
} from '../../core/judge/algorithms.ts'
import { decodeAttestationObject } from '../../core/judge/attestation-object.ts'
import { type AuthenticatorData, decodeAuthenticatorData } from '../../core/judge/authenticator-data.ts'
import { type CborItem, findEntry } from '../../core/judge/cbor.ts'
import type { AuthenticationCase, RegistrationCase, StoredCredential } from '../../core/judge/ceremony-case.ts'
import { type Certificate, decodeCertificate, EXTENSION } from '../../core/judge/certificate.ts'
import type { JudgeCrypto, SignatureCheck } from '../../core/judge/crypto-port.ts'
import { decodeDer, sequenceItems, unsignedBytes } from '../../core/judge/der.ts'
import { judgeAuthentication } from '../../core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../core/judge/judge-registration.ts'
import { ownMember, parseAuthenticationJson, parseRegistrationJson } from '../../core/judge/response-json.ts'
import type { Verdict } from '../../core/judge/verdict.ts'
import { type Bytes, concat, equalBytes, toBase64url } from '../../core/protocol/bytes.ts'
import { isObject } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Clock, Millis } from '../../core/protocol/time.ts'
import { isSupported, verifyWithNoble } from './node-crypto.ts'

const BY = '@simplewebauthn/server'

/** Never throws and uses no network. `wall` is the real time, by which the library judges certificates. */
export const secondOpinion = async (
  ceremony: RegistrationCase | AuthenticationCase,
  { wall }: { readonly wall: Millis },
): Promise<Opinion> => {
  try {
    return 'roots' in ceremony ? await onRegistration(ceremony, wall) : await onAuthentication(ceremony)
  } catch (cause) {
    return refusedBy(BY, reasonOf(cause))
  }
}

/** Forms the opinion, and marks it if it disagrees with the judge's verdict. */
export const formOpinion = async (
  ceremony: RegistrationCase | AuthenticationCase,
  verdict: Pick<Verdict<unknown>, 'accepted' | 'failure'>,
  wall: Clock,
): Promise<SecondOpinion> => {
  const opinion = await secondOpinion(ceremony, { wall: wall.now() })
  return opinionAgrees(verdict, opinion) ? opinion : { ...opinion, disagrees: true }
}

/** The library wraps some of its errors; the innermost says what happened. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`
}

/** Rules for which the library has no parameter: if only the judge refuses by one of them, that is no disagreement. */
const NOT_ASKED: ReadonlySet<string> = new Set([
  'attestation_none_refused',
  'attestation_self_refused',
  'attestation_model_revoked',
  'credential_already_registered',
  'credential_not_allowed',
  'credential_of_another_user',
])

/** Ignores refusals by the rules in NOT_ASKED, which the library does not check. */
export const opinionAgrees = (
  verdict: Pick<Verdict<unknown>, 'accepted' | 'failure'>,
  opinion: SecondOpinion,
): boolean => {
  if (!opinion.heard || opinion.accepts === verdict.accepted) return true
  return verdict.failure !== undefined && NOT_ASKED.has(verdict.failure.word)
}

// Loaded at the first ceremony, because its ASN.1 stack would delay the start.
const library = () => import('@simplewebauthn/server')

const CRYPTO_BY = '@peculiar/webcrypto'

/** The verdict of another library, or why none was asked. */
type Opinion =
  | { readonly heard: true; readonly by: OpinionGiver; readonly accepts: boolean; readonly reason?: Reason }
  | { readonly heard: false; readonly reason: OpinionWords }
type Reason = string | OpinionWords

const acceptedBy = (by: OpinionGiver): Opinion => ({ heard: true, by, accepts: true })
const refusedBy = (by: OpinionGiver, reason: Reason): Opinion => ({ heard: true, by, accepts: false, reason })
const NOT_VERIFIED: OpinionWords = { code: 'signature_not_verified' }

/**
 * Where @simplewebauthn/server cannot be used, the judge’s steps run with other libraries: @peculiar/webcrypto checks
 * every hash, key and signature, with OpenSSL as the judge does, and @noble checks every signature but RSA’s as well.
 * `why` is returned if there was nothing to verify.
 */
const signatureOpinion = async (
  ceremony: RegistrationCase | AuthenticationCase,
  why: OpinionWords,
): Promise<Opinion> => {
  const library = await peculiarCrypto()
  const seen: Seen = { verified: new Set(), refused: new Set(), lacking: false }
  const crypto = watched(library, seen)
  const { accepted, failure } =
    'roots' in ceremony ? await judgeRegistration(ceremony, crypto) : await judgeAuthentication(ceremony, crypto)
  const takesKey = 'roots' in ceremony && accepted ? await takesAttested(library, ceremony, seen) : undefined
  if (seen.lacking) return { heard: false, reason: why }
  if (takesKey !== undefined && seen.verified.size === 0) seen.verified.add(CRYPTO_BY)
  if (takesKey === false) seen.refused.add(CRYPTO_BY)
  const refuser = OPINION_GIVERS.find((giver) => seen.refused.has(giver))
  if (refuser !== undefined) return refusedBy(refuser, NOT_VERIFIED)
  // @peculiar/webcrypto comes first: if @noble skipped a signature, only @peculiar/webcrypto verified all.
  const by = OPINION_GIVERS.find((giver) => seen.verified.has(giver))
  if (by === undefined) return { heard: false, reason: why }
  return accepted ? acceptedBy(by) : refusedBy(by, failure?.word ?? '')
}

type Seen = { readonly verified: Set<OpinionGiver>; readonly refused: Set<OpinionGiver>; lacking: boolean }

/** Asks both libraries about a signature, but @noble only if the judge did not use it, as it may in Electron. */
const watched = (crypto: JudgeCrypto, seen: Seen): JudgeCrypto => ({
  ...crypto,
  verify: async (check) => {
    const shared = await crypto.verify(check)
    const own = isSupported(check.key) ? await verifyWithNoble(check) : shared
    const by = !own.ok || own === shared ? CRYPTO_BY : check.key.kty === 'AKP' ? '@noble/post-quantum' : '@noble/curves'
    if (!own.ok && !shared.ok) {
      seen.lacking = true
      return shared
    }
    if (own.ok && !own.value) seen.refused.add(by)
    else if (shared.ok && !shared.value) seen.refused.add(CRYPTO_BY)
    else {
      seen.verified.add(by)
      return ok(true)
    }
    return ok(false)
  },
})

/** A registration without attestation has no signature: only its new key can be checked. */
const takesAttested = async (library: PeculiarCrypto, input: RegistrationCase, seen: Seen) => {
  const key = decodeRegistration(input).coseKey?.key
  // Any octets of the right length are a key of ML-DSA.
  if (key === undefined || key.kty === 'AKP') return undefined
  const taken = await library.imports(key)
  if (taken.ok) return taken.value
  seen.lacking = true
  return undefined
}

type Subtle = Crypto['subtle']

type WebKey = Exclude<PublicKey, { kty: 'AKP' }>

/** The judge’s crypto on @peculiar/webcrypto, which supports what node:crypto does except ML-DSA. */
type PeculiarCrypto = JudgeCrypto & { imports(key: WebKey): Promise<Result<boolean, 'unsupported'>> }

let made: Promise<PeculiarCrypto> | undefined

/** Loaded at its first use, so that it does not delay the start. */
const peculiarCrypto = (): Promise<PeculiarCrypto> => {
  made ??= import('@peculiar/webcrypto').then((library) => cryptoOf(new library.Crypto().subtle))
  return made
}

const cryptoOf = (subtle: Subtle): PeculiarCrypto => ({
  digest: async (name, data) => new Uint8Array(await subtle.digest(name, data.slice())),
  verify: (check) => verifyWith(subtle, check),
  imports: async (key) => {
    if (!isSupported(key)) return err('unsupported')
    return ok((await importKey(subtle, key, parametersOf(key))) !== undefined)
  },
})

const verifyWith = async (subtle: Subtle, check: SignatureCheck): Promise<Result<boolean, 'unsupported'>> => {
  const { key, data } = check
  const known = findAlgorithm(check.algorithm)
  if (known === undefined || known.kty !== key.kty || key.kty === 'AKP' || !isSupported(key)) {
    return err('unsupported')
  }
  const parameters = parametersOf(key, known)
  const imported = await importKey(subtle, key, parameters)
  const signature = key.kty === 'EC2' ? rawSignature(check.signature, coordinateSize(key.crv)) : check.signature
  if (imported === undefined || signature === undefined) return ok(false)
  return ok(await subtle.verify(parameters, imported, signature.slice(), data.slice()).catch(() => false))
}

/** Imports a JSON Web Key, so that the library writes the key’s encoding itself. */
const importKey = (subtle: Subtle, key: WebKey, parameters: ReturnType<typeof parametersOf>) =>
  subtle.importKey('jwk', jwkOf(key), parameters, true, ['verify']).catch(() => undefined)

const jwkOf = (key: WebKey) => {
  if (key.kty === 'EC2') return { kty: 'EC', crv: CURVES[key.crv], x: toBase64url(key.x), y: toBase64url(key.y) }
  if (key.kty === 'OKP') return { kty: 'OKP', crv: key.crv, x: toBase64url(key.x) }
  return { kty: 'RSA', n: toBase64url(key.n), e: toBase64url(key.e) }
}

/** Parameters both for importing a key and for verifying with it; each ignores what only the other needs. */
const parametersOf = (key: WebKey, known?: CoseAlgorithm) => {
  const hash = known !== undefined && 'hash' in known ? known.hash : 'SHA-256'
  if (key.kty === 'EC2') return { name: 'ECDSA', namedCurve: CURVES[key.crv], hash }
  if (key.kty === 'OKP') return { name: 'EdDSA', namedCurve: key.crv }
  const isPss = known?.kty === 'RSA' && known.padding === 'pss'
  return isPss ? { name: 'RSA-PSS', hash, saltLength: DIGEST_LENGTHS[hash] } : { name: 'RSASSA-PKCS1-v1_5', hash }
}

const CURVES = { 'P-256': 'P-256', 'P-384': 'P-384', 'P-521': 'P-521', secp256k1: 'K-256' } as const satisfies Record<
  EcCurve,
  string
>

const DIGEST_LENGTHS = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 } as const satisfies Record<
  HashName,
  number
>

/** Web Crypto takes r and s side by side, each as long as the curve’s field. */
const rawSignature = (der: Bytes, size: number): Bytes | undefined => {
  const decoded = decodeDer(der)
  const parts = (decoded.ok && sequenceItems(decoded.value)) || []
  const numbers = parts.map(unsignedBytes)
  const [r, s] = numbers
  if (numbers.length !== 2 || r === undefined || s === undefined || r.length > size || s.length > size) return undefined
  return concat(new Uint8Array(size - r.length), r, new Uint8Array(size - s.length), s)
}

/** ES256K, Ed448 and the fully specified numbers, which @simplewebauthn/server does not know. */
const UNKNOWN_ALGORITHMS: ReadonlySet<number> = new Set([-47, -53, -9, -51, -52, -19])

/** True for ML-DSA too if the runtime's WebCrypto, which the library uses, lacks it. */
const isUnknown = (algorithm: number): boolean => {
  const known = findAlgorithm(algorithm)
  if (known?.kty !== 'AKP') return UNKNOWN_ALGORITHMS.has(algorithm)
  return !isSupported({ kty: 'AKP', name: known.name, pub: new Uint8Array(known.keyLength) })
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

const authenticationLimit = (stored: StoredCredential, response: unknown): OpinionWords | undefined => {
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

const decodeRegistration = ({ response }: RegistrationCase) => {
  const { attestationObject } = parseRegistrationJson(response)
  const object = attestationObject && decodeAttestationObject(attestationObject).value
  const data = object?.authenticatorData && decodeAuthenticatorData(object.authenticatorData).value
  return { object, data, coseKey: data?.attested?.key }
}

/** Returns why the library is not asked: it cannot check this registration, or its rules differ from ours by design. */
export const whyUncheckable = (input: RegistrationCase, wall: Millis): OpinionWords | undefined => {
  const { object, data, coseKey } = decodeRegistration(input)
  if (object === undefined) return undefined
  if (coseKey !== undefined && isUnknown(coseKey.algorithm)) return unknown(coseKey.algorithm)
  const extensions = extensionLimit(data)
  if (extensions !== undefined) return extensions
  if (object.format === 'android-safetynet') return { code: 'safetynet_by_real_clock' }
  if (object.format === 'compound') return { code: 'compound_not_known' }
  const x5c = object.statement && findEntry(object.statement, 'x5c')
  const chain =
    x5c?.type === 'array' ? x5c.items.flatMap((item) => (item.type === 'bytes' ? certificateOf(item.value) : [])) : []
  const alg = object.statement && findEntry(object.statement, 'alg')
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

/** The library's roots are process-wide, so registrations take turns. */
let turn: Promise<unknown> = Promise.resolve()

const onRegistration = async (input: RegistrationCase, wall: Millis): Promise<Opinion> => {
  const why = whyUncheckable(input, wall)
  if (why !== undefined) return signatureOpinion(input, why)
  const mine = turn.then(() => verifyRegistration(input))
  turn = mine.catch(() => undefined)
  return mine
}

const ROOTED = ['packed', 'tpm', 'android-key', 'apple', 'fido-u2f'] as const satisfies readonly RootCertIdentifier[]

const verifyRegistration = async (input: RegistrationCase): Promise<Opinion> => {
  const { SettingsService, verifyRegistrationResponse } = await library()
  const certificates = input.attestation === 'require-trusted' ? input.roots.map((root) => root.slice()) : []
  for (const identifier of ROOTED) SettingsService.setRootCertificates({ identifier, certificates })
  const { verified } = await verifyRegistrationResponse({
    response: input.response as RegistrationResponseJSON,
    expectedChallenge: input.options.challenge,
    expectedOrigin: [...input.origins],
    expectedRPID: input.rpId,
    requireUserVerification: input.options.authenticatorSelection?.userVerification === 'required',
    supportedAlgorithmIDs: input.options.pubKeyCredParams.map(({ alg }) => alg),
  })
  return verified ? acceptedBy(BY) : refusedBy(BY, NOT_VERIFIED)
}

const onAuthentication = async (input: AuthenticationCase): Promise<Opinion> => {
  const id = isObject(input.response) ? ownMember(input.response, 'id') : undefined
  const stored = typeof id === 'string' ? await input.credential(id) : undefined
  if (stored === undefined || typeof id !== 'string') return { heard: false, reason: { code: 'credential_not_known' } }
  const why = authenticationLimit(stored, input.response)
  if (why !== undefined) return signatureOpinion(input, why)
  const { topOrigins = [] } = input
  const { verifyAuthenticationResponse } = await library()
  const { verified } = await verifyAuthenticationResponse({
    response: input.response as AuthenticationResponseJSON,
    expectedChallenge: input.options.challenge,
    expectedOrigin: [...input.origins],
    expectedRPID: input.rpId,
    ...(topOrigins.length > 0 && { expectedTopOrigin: [...topOrigins] }),
    requireUserVerification: input.options.userVerification === 'required',
    credential: {
      id,
      publicKey: stored.publicKey.slice(),
      counter: input.counterRegression === 'accept' ? 0 : stored.signCount,
    },
  })
  return verified ? acceptedBy(BY) : refusedBy(BY, NOT_VERIFIED)
}
