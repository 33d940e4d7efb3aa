import * as library from '@simplewebauthn/server'
import { fromBase64url } from '../../../../src-main/core/protocol/bytes.ts'
import type {
  AuthenticationResponseJson,
  RegistrationResponseJson,
} from '../../../../src-main/core/protocol/webauthn-json.ts'
import type { Credential } from '../../../../src-main/phones/authenticator/seams.ts'
import { goodCreationOptions, goodRequestOptions, must, ORIGIN, RP_ID } from './requests.ts'

type Registration = Awaited<ReturnType<typeof library.verifyRegistrationResponse>>

/** What the independent library says of a registration response. It throws its refusals. */
export const witnessRegistration = (
  response: RegistrationResponseJson,
  options: { readonly algorithms?: readonly number[]; readonly challenge?: string } = {},
): Promise<Registration> =>
  library.verifyRegistrationResponse({
    // The library's own types know fewer transports.
    response: JSON.parse(JSON.stringify(response)) as library.RegistrationResponseJSON,
    expectedChallenge: options.challenge ?? goodCreationOptions.challenge,
    expectedOrigin: ORIGIN,
    expectedRPID: RP_ID,
    requireUserVerification: false,
    supportedAlgorithmIDs: [...(options.algorithms ?? [-7])],
  })

export const witnessAuthentication = (
  response: AuthenticationResponseJson,
  stored: { readonly credential: Credential; readonly publicKey: Uint8Array<ArrayBuffer>; readonly counter: number },
): ReturnType<typeof library.verifyAuthenticationResponse> =>
  library.verifyAuthenticationResponse({
    response: JSON.parse(JSON.stringify(response)) as library.AuthenticationResponseJSON,
    expectedChallenge: goodRequestOptions.challenge,
    expectedOrigin: ORIGIN,
    expectedRPID: RP_ID,
    requireUserVerification: false,
    credential: { id: stored.credential.id, publicKey: stored.publicKey, counter: stored.counter },
  })

export const octets = (text: string) => must(fromBase64url(text))
