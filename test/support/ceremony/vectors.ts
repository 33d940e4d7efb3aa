import { readFileSync } from 'node:fs'
import { decodeAttestationObject } from '../../../src-main/core/judge/attestation-object.ts'
import { decodeAuthenticatorData } from '../../../src-main/core/judge/authenticator-data.ts'
import type { AuthenticationCase, RegistrationCase } from '../../../src-main/core/judge/ceremony-case.ts'
import { type Bytes, fromHex, toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { USER_HANDLE } from './registration.ts'

/** WebAuthn Level 3's own test vectors; see the README beside them. */
export type Vector = {
  readonly name: string
  readonly registration: Readonly<
    Record<'challenge' | 'clientDataJSON' | 'attestationObject' | 'credential_id', string>
  >
  readonly authentication: Readonly<Record<'challenge' | 'clientDataJSON' | 'authenticatorData' | 'signature', string>>
}

const PREFIX = 'sctn-test-vectors-'
const RP_ID = 'example.org'
const ORIGIN = 'https://example.org'
const NOW = Date.UTC(2030, 0, 1)

const file = new URL('../../vectors/webauthn-l3/webauthn-l3-vectors.json', import.meta.url)
const sections: Record<string, Vector & { values?: Record<string, string> }> = JSON.parse(readFileSync(file, 'utf8'))

export const vectors: readonly Vector[] = Object.entries(sections)
  .filter(([, section]) => section.registration !== undefined)
  .map(([anchor, section]) => ({ ...section, name: anchor.slice(PREFIX.length) }))

const bytes = (hex: string | undefined): Bytes => {
  const value = fromHex(hex ?? '')
  if (!value.ok || hex === undefined) throw new Error('a vector is not as expected')
  return value.value
}

const base64url = (hex: string): string => toBase64url(bytes(hex))

export const vectorRoot: Bytes = bytes(sections[`${PREFIX}attestation-root-cert`]?.values?.attestation_ca_cert)

const answer = <T>(id: string, response: T) => ({
  ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
})

export const vectorRegistration = ({ registration }: Vector): RegistrationCase => {
  const id = base64url(registration.credential_id)
  return {
    response: answer(id, {
      clientDataJSON: base64url(registration.clientDataJSON),
      attestationObject: base64url(registration.attestationObject),
    }),
    options: {
      rp: { id: RP_ID, name: 'W3C' },
      user: { id: USER_HANDLE, name: 'user', displayName: 'user' },
      challenge: base64url(registration.challenge),
      pubKeyCredParams: [-7, -35, -36, -257, -8, -53].map((alg) => ({ type: 'public-key', alg })),
    },
    origins: [ORIGIN],
    rpId: RP_ID,
    attestation: 'accept-any',
    roots: [vectorRoot],
    now: NOW,
    credentialKnown: () => false,
  }
}

export const vectorAuthentication = ({ registration, authentication }: Vector): AuthenticationCase => {
  const object = decodeAttestationObject(bytes(registration.attestationObject)).value
  const registered = object?.authenticatorData && decodeAuthenticatorData(object.authenticatorData).value
  const attested = registered?.attested
  if (!(registered && attested?.publicKey && attested.key)) throw new Error('a vector cannot be decoded')
  const id = base64url(registration.credential_id)
  const stored = {
    publicKey: attested.publicKey,
    algorithm: attested.key.algorithm,
    signCount: registered.signCount,
    backupEligible: registered.flags.backupEligible,
    backupState: registered.flags.backupState,
    userHandle: USER_HANDLE,
  }
  return {
    response: answer(id, {
      clientDataJSON: base64url(authentication.clientDataJSON),
      authenticatorData: base64url(authentication.authenticatorData),
      signature: base64url(authentication.signature),
    }),
    options: {
      challenge: base64url(authentication.challenge),
      rpId: RP_ID,
      allowCredentials: [{ type: 'public-key', id }],
    },
    origins: [ORIGIN],
    rpId: RP_ID,
    credential: (asked) => (asked === id ? stored : undefined),
    expectedUserHandle: USER_HANDLE,
    counterRegression: 'fail',
  }
}
