/**
 * The test API of FIDO's conformance program over @passwordless-id/webauthn, from that library's documentation alone.
 * The library makes the challenge; it checks type, challenge and origin of a registration, and signature, type,
 * challenge, origin, RP ID, user presence, user verification and counter of a sign-in. It verifies no attestation, as
 * its documentation says. What it throws is a refusal, also where its JSON or base64 cannot be read; a TypeError or a
 * RangeError, which it never throws itself, is a crash.
 * The library reads a registration as a browser's toJSON() writes it, with copies of authenticatorData, publicKey and
 * publicKeyAlgorithm, and never opens the attestation object. Copies that are sent go to it as they are; where none
 * are, since the test API asks for none, the glue takes them out of the attestation object as a browser would.
 * The glue: all of the options but the challenge (they are what the library's client would ask a browser for); a user
 * handle that is sent must be the user's, which the library does not check; which credential is whose, and what
 * test-api.mjs says.
 */
import { createPublicKey } from 'node:crypto'
import { server as webauthn } from '@passwordless-id/webauthn'
import { Decoder } from 'cbor-x'
import { credentialOf, descriptorsOf, orRefuse, Refusal, serve } from '../test-api.mjs'

/** What the library's client asks for; its server verifies no other. */
const ALGORITHMS = [-7, -257]

const cbor = new Decoder({ mapsAsObjects: false })

/** The key as a browser's getPublicKey() gives it: null for a kind that a browser need not know. */
const spkiOf = (cose) => {
  const [crv, x, y] = [-1, -2, -3].map((label) => cose.get(label))
  const text = (bytes) => Buffer.from(bytes).toString('base64url')
  const jwk =
    cose.get(1) === 2 && crv === 1
      ? { kty: 'EC', crv: 'P-256', x: text(x), y: text(y) }
      : cose.get(1) === 1 && crv === 6
        ? { kty: 'OKP', crv: 'Ed25519', x: text(x) }
        : cose.get(1) === 3
          ? { kty: 'RSA', n: text(crv), e: text(x) }
          : null
  return (
    jwk && createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' }).toString('base64url')
  )
}

/** The fields of toJSON() that stand in the attestation object. */
const browserFieldsOf = (attestationObject) => {
  const authData = Buffer.from(cbor.decode(Buffer.from(attestationObject, 'base64url')).get('authData'))
  const [cose] = cbor.decodeMultiple(authData.subarray(55 + authData.readUInt16BE(53)))
  return { authenticatorData: authData.toString('base64url'), publicKey: spkiOf(cose), publicKeyAlgorithm: cose.get(3) }
}

const refusing = (check) => orRefuse(check, (error) => !(error instanceof TypeError || error instanceof RangeError))

serve(({ origin, rpID }) => {
  const expectedOf = (challenge, userVerification) => ({
    challenge,
    origin,
    domain: rpID,
    userVerified: userVerification === 'required',
  })

  return {
    registrationOptions: ({ attestation, authenticatorSelection, extensions }, user) => {
      const challenge = webauthn.randomChallenge()
      return {
        expected: expectedOf(challenge, authenticatorSelection?.userVerification),
        options: {
          rp: { id: rpID, name: 'passwordless-id' },
          user: { id: user.id.toString('base64url'), name: user.name, displayName: user.displayName },
          challenge,
          pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
          timeout: 60_000,
          attestation: attestation ?? 'none',
          authenticatorSelection,
          excludeCredentials: descriptorsOf(user),
          extensions,
        },
      }
    },
    register: async (body, expected, user) => {
      const { response } = body
      const copied = response?.authenticatorData !== undefined || response?.publicKey !== undefined
      const copies = copied ? {} : await orRefuse(() => browserFieldsOf(response.attestationObject))
      const registration = {
        ...body,
        response: { ...copies, ...response },
        user: { id: user.id.toString('base64url'), name: user.name, displayName: user.displayName },
      }
      const { credential, authenticator } = await refusing(() => webauthn.verifyRegistration(registration, expected))
      return { ...credential, counter: authenticator.counter }
    },
    signInOptions: ({ userVerification, extensions }, user) => {
      const challenge = webauthn.randomChallenge()
      return {
        expected: expectedOf(challenge, userVerification),
        options: {
          rpId: rpID,
          challenge,
          timeout: 60_000,
          userVerification,
          allowCredentials: descriptorsOf(user),
          extensions,
        },
      }
    },
    signIn: async (body, expected, user) => {
      const credential = credentialOf(user, body.id)
      const { counter } = credential
      const { userHandle } = body.response ?? {}
      if (userHandle != null && userHandle !== user.id.toString('base64url'))
        throw new Refusal('the user handle is somebody else’s')
      const answer = await refusing(() => webauthn.verifyAuthentication(body, credential, { ...expected, counter }))
      credential.counter = answer.counter
    },
  }
})
