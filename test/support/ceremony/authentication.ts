import type { AuthenticationCase, StoredCredential } from '../../../src-main/core/judge/ceremony-case.ts'
import { concat, toBase64url, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import type { AuthenticationResponseJson, RequestOptionsJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import { cbor } from './cbor.ts'
import { type TestKey, testKey } from './keys.ts'
import { CHALLENGE, CREDENTIAL_ID, FLAG, ORIGIN, RP_ID, sha256, USER_HANDLE, uint32 } from './registration.ts'

export type AuthenticationParts = {
  readonly key: TestKey
  readonly clientData: Readonly<Record<string, unknown>>
  readonly clientDataText?: Uint8Array
  readonly rpIdHash: Uint8Array
  readonly flags: number
  readonly signCount: number
  /** What follows the 37 fixed bytes. */
  readonly afterCounter?: Uint8Array
  readonly signature?: (good: Uint8Array) => Uint8Array
  readonly response?: (built: AuthenticationResponseJson) => unknown
  readonly stored?: Partial<StoredCredential>
  readonly case?: Partial<AuthenticationCase>
  readonly options?: Partial<RequestOptionsJson>
}

/** An authentication with the parts of a good one, but for what the test changes. */
export const authentication = (changes: Partial<AuthenticationParts> = {}): AuthenticationCase => {
  const parts: AuthenticationParts = {
    key: testKey(-7),
    clientData: { type: 'webauthn.get', challenge: CHALLENGE, origin: ORIGIN, crossOrigin: false },
    rpIdHash: sha256(utf8(RP_ID)),
    flags: FLAG.UP | FLAG.UV,
    signCount: 8,
    ...changes,
  }
  const { key } = parts
  const clientDataJSON = parts.clientDataText ?? utf8(JSON.stringify(parts.clientData))
  const authenticatorData = concat(
    parts.rpIdHash,
    Uint8Array.of(parts.flags),
    uint32(parts.signCount),
    parts.afterCounter ?? new Uint8Array(),
  )
  const signature = key.sign(concat(authenticatorData, sha256(clientDataJSON)))
  const id = toBase64url(CREDENTIAL_ID)
  const response: AuthenticationResponseJson = {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: toBase64url(clientDataJSON),
      authenticatorData: toBase64url(authenticatorData),
      signature: toBase64url(parts.signature ? parts.signature(signature) : signature),
      userHandle: USER_HANDLE,
    },
  }
  const stored: StoredCredential = {
    publicKey: cbor(key.cose),
    algorithm: key.algorithm,
    signCount: 7,
    backupEligible: false,
    backupState: false,
    userHandle: USER_HANDLE,
    ...parts.stored,
  }
  return {
    response: parts.response ? parts.response(response) : response,
    options: { challenge: CHALLENGE, rpId: RP_ID, allowCredentials: [{ type: 'public-key', id }], ...parts.options },
    origins: [ORIGIN],
    rpId: RP_ID,
    credential: (asked) => (asked === id ? stored : undefined),
    expectedUserHandle: USER_HANDLE,
    counterRegression: 'fail',
    ...parts.case,
  }
}
