/**
 * The test API of FIDO's conformance program over fido2-lib, from that library's README, reference and types alone.
 * The library makes challenge, RP, algorithms, attestation and user verification of the options; checks type,
 * challenge, origin, RP ID, flags, attestation, signature, counter and user handle. It throws an Error for whatever it
 * cannot parse or verify, so each throw of its four calls is a refusal. Of a certificate whose issuer it does not know
 * it warns in its audit, and accepts; the server leaves that default, and adds no metadata collection.
 * The glue: user, excluded and allowed credentials, residentKey and extensions of the options; ids become the
 * ArrayBuffer that the types ask for; the public key of a sign-in is found under the body's `id`; which credential is
 * whose, and what test-api.mjs says.
 */
import { Fido2Lib } from 'fido2-lib'
import { credentialOf, descriptorsOf, orRefuse, serve } from '../test-api.mjs'

/** What the library's table of keys names, but RS1. */
const ALGORITHMS = [-7, -35, -36, -257, -258, -259]

const base64url = (bytes) => Buffer.from(bytes).toString('base64url')
const toArrayBuffer = (text) =>
  typeof text === 'string' ? new Uint8Array(Buffer.from(text, 'base64url')).buffer : text
const withIDs = (body) => ({ ...body, id: toArrayBuffer(body.id), rawId: toArrayBuffer(body.rawId) })

serve(({ origin, rpID }) => {
  /** The library takes what a request asks for in its constructor alone, so each request has a library of its own. */
  const fido2For = ({ attestation, authenticatorSelection = {}, userVerification }) =>
    orRefuse(
      () =>
        new Fido2Lib({
          rpId: rpID,
          rpName: 'fido2-lib',
          cryptoParams: ALGORITHMS,
          attestation: attestation ?? 'none',
          authenticatorAttachment: authenticatorSelection.authenticatorAttachment,
          authenticatorRequireResidentKey: authenticatorSelection.requireResidentKey,
          authenticatorUserVerification: userVerification ?? authenticatorSelection.userVerification,
        }),
    )
  const expectedOf = (challenge, userVerification) => ({
    rpId: rpID,
    origin,
    challenge,
    factor: userVerification === 'required' ? 'first' : 'either',
  })

  return {
    registrationOptions: async (asked, user) => {
      const options = await (await fido2For(asked)).attestationOptions()
      const challenge = base64url(options.challenge)
      const { residentKey } = asked.authenticatorSelection ?? {}
      const { authenticatorSelection } = options
      return {
        expected: expectedOf(challenge, authenticatorSelection?.userVerification),
        options: {
          ...options,
          challenge,
          user: { id: base64url(user.id), name: user.name, displayName: user.displayName },
          excludeCredentials: descriptorsOf(user),
          ...(residentKey && { authenticatorSelection: { ...authenticatorSelection, residentKey } }),
          ...(asked.extensions && { extensions: asked.extensions }),
        },
      }
    },
    register: async (body, expected) => {
      const { authnrData } = await orRefuse(() => new Fido2Lib().attestationResult(withIDs(body), expected))
      return {
        id: base64url(authnrData.get('credId')),
        publicKey: authnrData.get('credentialPublicKeyPem'),
        counter: authnrData.get('counter'),
        transports: body.response.transports,
      }
    },
    signInOptions: async (asked, user) => {
      const options = await (await fido2For(asked)).assertionOptions()
      const challenge = base64url(options.challenge)
      return {
        expected: expectedOf(challenge, options.userVerification),
        options: {
          ...options,
          challenge,
          allowCredentials: descriptorsOf(user),
          ...(asked.extensions && { extensions: asked.extensions }),
        },
      }
    },
    signIn: async (body, expected, user) => {
      const credential = credentialOf(user, body.id)
      const { publicKey, counter: prevCounter } = credential
      const { authnrData } = await orRefuse(() =>
        new Fido2Lib().assertionResult(withIDs(body), {
          ...expected,
          publicKey,
          prevCounter,
          userHandle: base64url(user.id),
          allowCredentials: descriptorsOf(user).map(({ type, id }) => ({ type, id: toArrayBuffer(id) })),
        }),
      )
      credential.counter = authnrData.get('counter')
    },
  }
})
