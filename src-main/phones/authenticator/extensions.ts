import { createCipheriv, createHmac } from 'node:crypto'
import { type Bytes, base64urlBytes, concat, toBase64url, utf8 } from '../../core/protocol/bytes.ts'
import { isObject, withoutUndefined } from '../../core/protocol/json.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { sha256 } from './algorithms.ts'
import type { CborValue } from './canonical-cbor.ts'
import type { AuthenticatorModel } from './models.ts'
import type { AuthenticatorRefusal, Credential, CredentialExtensions } from './seams.ts'

export type ExtensionAnswer = {
  /** For the client extension results of the response. */
  readonly results: Readonly<Record<string, unknown>>
  /** For the authenticator data; undefined without any output. */
  readonly output: ReadonlyMap<string, CborValue> | undefined
  /** Stored with the credential. */
  readonly state: CredentialExtensions
}

type Inputs = Readonly<Record<string, unknown>>

const record = (value: unknown): Inputs => (isObject(value) ? value : {})

// WebAuthn §10.1.4 and CTAP 2.1 §12.1.
const PROTECTION_LEVELS: ReadonlyMap<unknown, 1 | 2 | 3> = new Map([
  ['userVerificationOptional', 1],
  ['userVerificationOptionalWithCredentialIDList', 2],
  ['userVerificationRequired', 3],
])

// WebAuthn §10.1.4: the salts are hashed with a context, so that no RP can get the output for a local user of the key.
const prfSalt = (input: Bytes): Bytes => sha256(utf8('WebAuthn PRF'), Uint8Array.of(0), input)

/** The salts of `first` and, if given, `second`; none without `first`. */
const prfSalts = (value: unknown): readonly Bytes[] => {
  const [first, second] = [base64urlBytes(record(value).first), base64urlBytes(record(value).second)]
  return first === undefined ? [] : [first, ...(second === undefined ? [] : [second])].map(prfSalt)
}

// WebAuthn §10.1.4: prf uses only the secret that requires user verification.
const evaluate = (state: CredentialExtensions, salts: readonly Bytes[]): readonly Bytes[] => {
  const secret = base64urlBytes(state.hmacSecret?.withUv)
  if (secret === undefined) throw new Error('the credential has no hmac-secret')
  return salts.map((salt) => new Uint8Array(createHmac('sha256', secret).update(salt).digest()))
}

const prfResults = (values: readonly Bytes[]): Inputs => {
  const [first, second] = values.map(toBase64url)
  return withoutUndefined({ first, second })
}

// CTAP 2.1 §12.5 under PIN/UV protocol two: IV and AES-256-CBC. No RP sees the shared key, so it is random here.
const encryptSecrets = (values: readonly Bytes[], random: RandomSource): Bytes => {
  const iv = random.bytes(16)
  const cipher = createCipheriv('aes-256-cbc', random.bytes(32), iv).setAutoPadding(false)
  return concat(iv, cipher.update(concat(...values)), cipher.final())
}

const outputOf = (entries: readonly (readonly [string, CborValue])[]): ReadonlyMap<string, CborValue> | undefined =>
  entries.length === 0 ? undefined : new Map(entries)

/** credProps, credProtect, prf and hmac-secret, largeBlob, minPinLength; other extensions are ignored. */
export const answerCreationExtensions = (input: {
  readonly options: CreationOptionsJson
  readonly model: AuthenticatorModel
  readonly discoverable: boolean
  readonly userVerified: boolean
  readonly random: RandomSource
}): Result<ExtensionAnswer, AuthenticatorRefusal> => {
  const { model, random } = input
  const asked = record(input.options.extensions)
  const results: Record<string, unknown> = {}
  const output: [string, CborValue][] = []
  let state: CredentialExtensions = {}

  if (asked.credProps === true) results.credProps = { rk: input.discoverable }

  const level = PROTECTION_LEVELS.get(asked.credentialProtectionPolicy)
  if (level !== undefined) {
    state = { ...state, credProtect: level }
    output.push(['credProtect', level])
  }

  if (model.hmacSecret && (isObject(asked.prf) || asked.hmacCreateSecret === true)) {
    const secrets = { withUv: toBase64url(random.bytes(32)), withoutUv: toBase64url(random.bytes(32)) }
    state = { ...state, hmacSecret: secrets }
    output.push(['hmac-secret', true])
    if (asked.hmacCreateSecret === true) results.hmacCreateSecret = true
    if (isObject(asked.prf)) {
      const salts = prfSalts(asked.prf.eval)
      const values = salts.length > 0 && input.userVerified && { results: prfResults(evaluate(state, salts)) }
      results.prf = { enabled: true, ...values }
    }
  } else if (isObject(asked.prf)) {
    results.prf = { enabled: false }
  }

  if (isObject(asked.largeBlob)) {
    const supported = model.largeBlob && input.discoverable
    if (asked.largeBlob.support === 'required' && !supported) {
      return err({ code: 'large_blob_unavailable', got: model.name })
    }
    if (supported) state = { ...state, largeBlob: {} }
    results.largeBlob = { supported }
  }

  if (asked.minPinLength === true) output.push(['minPinLength', model.minPinLength])

  return ok({ results, output: outputOf(output), state })
}

/** Answers prf, hmac-secret and largeBlob; other extensions are ignored. */
export const answerRequestExtensions = (input: {
  readonly options: RequestOptionsJson
  readonly credential: Credential
  readonly userVerified: boolean
  readonly random: RandomSource
}): ExtensionAnswer => {
  const { credential, random } = input
  const asked = record(input.options.extensions)
  const results: Record<string, unknown> = {}
  const output: [string, CborValue][] = []
  let state = credential.extensions

  if (isObject(asked.prf)) {
    const byCredential = record(asked.prf.evalByCredential)[credential.id]
    const salts = prfSalts(byCredential ?? asked.prf.eval)
    results.prf = {}
    if (salts.length > 0 && state.hmacSecret !== undefined && input.userVerified) {
      const values = evaluate(state, salts)
      output.push(['hmac-secret', encryptSecrets(values, random)])
      results.prf = { results: prfResults(values) }
    }
  }

  if (isObject(asked.largeBlob) && state.largeBlob !== undefined) {
    const written = base64urlBytes(asked.largeBlob.write)
    if (asked.largeBlob.read === true) {
      const blob = state.largeBlob.blob
      results.largeBlob = blob === undefined ? {} : { blob }
    } else if (written !== undefined) {
      state = { ...state, largeBlob: { blob: toBase64url(written) } }
      results.largeBlob = { written: true }
    }
  }

  return { results, output: outputOf(output), state }
}
