import { X509Certificate } from 'node:crypto'
import type { Result } from '../../../../src-main/core/protocol/result.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../../../src-main/core/protocol/webauthn-json.ts'
import {
  type AttestationAuthority,
  certificateBytes,
  findMakers,
  makeRepeatableAuthority,
} from '../../../../src-main/phones/authenticator/attestation/attestation-authority.ts'
import type { GetAssertionRequest } from '../../../../src-main/phones/authenticator/get-assertion.ts'
import type { MakeCredentialRequest } from '../../../../src-main/phones/authenticator/make-credential.ts'
import { CERTIFIED_FORMATS, type CertifiedFormat, MODELS } from '../../../../src-main/phones/authenticator/models.ts'
import type {
  AuthenticatorPorts,
  Credential,
  CredentialSource,
} from '../../../../src-main/phones/authenticator/seams.ts'
import { seededRandom } from './seeded-random.ts'

export const NOW = Date.UTC(2026, 0, 15, 12)
export const ORIGIN = 'https://shop.example.org'
export const RP_ID = 'example.org'

let authority: AttestationAuthority | undefined

export const goodPorts = async (
  seed = 'phone',
  options?: { readonly repeatable: boolean },
): Promise<AuthenticatorPorts> => {
  authority ??= makeRepeatableAuthority({ random: seededRandom('authority'), now: NOW })
  return { random: seededRandom(seed, options), now: () => NOW, attestationKeys: authority }
}

export const toPem = (der: Uint8Array): string => new X509Certificate(der).toString()

export const rootsAsPem = (makers: AttestationAuthority) =>
  Object.fromEntries(
    CERTIFIED_FORMATS.map((format) => [format, toPem(certificateBytes(findMakers(makers, format).root))]),
  ) as Record<CertifiedFormat, string>

export const goodCreationOptions: CreationOptionsJson = {
  rp: { id: RP_ID, name: 'Example Shop' },
  user: { id: 'dXNlci0x', name: 'li.wei', displayName: 'Li Wei' },
  challenge: 'Y3JlYXRpb24tY2hhbGxlbmdlLW9mLTMyLWJ5dGVzISE',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  attestation: 'direct',
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
}

export const goodRequestOptions: RequestOptionsJson = {
  challenge: 'cmVxdWVzdC1jaGFsbGVuZ2Utd2l0aC0zMi1ieXRlcyE',
  rpId: RP_ID,
  userVerification: 'preferred',
}

export const holding = (...credentials: readonly Credential[]): CredentialSource => ({ forRp: () => credentials })

export const goodCreation = (change: Partial<MakeCredentialRequest> = {}): MakeCredentialRequest => ({
  options: goodCreationOptions,
  origin: ORIGIN,
  model: MODELS['granite-self'],
  storage: 'chip',
  userVerified: true,
  existing: holding(),
  ...change,
})

export const goodAssertion = (
  credentials: readonly Credential[],
  change: Partial<GetAssertionRequest> = {},
): GetAssertionRequest => ({
  options: goodRequestOptions,
  origin: ORIGIN,
  userVerified: true,
  credentials: holding(...credentials),
  ...change,
})

/** The value of what must have worked. */
export const must = <T, E>(result: Result<T, E>): T => {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`)
  return result.value
}
