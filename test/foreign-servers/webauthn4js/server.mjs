/**
 * The test API of FIDO's conformance program over webauthn4js, go-webauthn as Wasm, from its README, example and types.
 * The library makes the options, which the callbacks here fill with what was asked for; its session data go back to it.
 * It parses the answers and checks type, challenge, origin, RP ID, flags, attestation, signature, user handle and that
 * the credential is one of the user's. It answers an error text for a refusal; "panic: …" is a crash. An attestation's
 * chain is verified against no trust anchor: the library takes none.
 * The library compares the counter and only warns; its documentation asks the caller to refuse, so the glue does.
 * The glue: what else test-api.mjs says.
 */
import makeWebAuthn from 'webauthn4js'
import { credentialOf, descriptorsOf, orRefuse, Refusal, serve } from '../test-api.mjs'

const base64url = (base64) => Buffer.from(base64, 'base64').toString('base64url')
const refusing = (check) => orRefuse(check, (error) => !error.message.startsWith('panic: '))

/** A user as the library knows one: of a credential, only what the library itself answered. */
const userOf = ({ id, name, displayName, credentials }) => ({
  id,
  name,
  displayName,
  iconURL: '',
  credentials: credentials.map(({ credential }) => credential),
})

serve(async ({ origin, rpID }) => {
  const webAuthn = await makeWebAuthn({ RPDisplayName: 'webauthn4js', RPID: rpID, RPOrigins: [origin] })
  for (const event of ['error', 'exit'])
    webAuthn.on(event, (what) => {
      console.error(event, what)
      process.exit(1)
    })

  return {
    registrationOptions: ({ attestation, authenticatorSelection, extensions }, user) =>
      refusing(async () => {
        const { options, sessionData } = await webAuthn.beginRegistration(userOf(user), (offered) => ({
          ...offered,
          attestation: attestation ?? 'none',
          excludeCredentials: descriptorsOf(user),
          ...(authenticatorSelection && { authenticatorSelection }),
          ...(extensions && { extensions }),
        }))
        return { options: options.publicKey, expected: sessionData }
      }),
    register: async (body, sessionData, user) => {
      const credential = await refusing(() => webAuthn.finishRegistration(userOf(user), sessionData, body))
      return { id: base64url(credential.id), transports: credential.transport ?? undefined, credential }
    },
    signInOptions: ({ userVerification, extensions }, user) =>
      refusing(async () => {
        const { options, sessionData } = await webAuthn.beginLogin(userOf(user), (offered) => ({
          ...offered,
          ...(userVerification && { userVerification }),
          ...(extensions && { extensions }),
        }))
        return { options: options.publicKey, expected: sessionData }
      }),
    signIn: async (body, sessionData, user) => {
      const { id, authenticator } = await refusing(() => webAuthn.finishLogin(userOf(user), sessionData, body))
      if (authenticator.cloneWarning) throw new Refusal('the counter did not grow')
      credentialOf(user, base64url(id)).credential.authenticator.signCount = authenticator.signCount
    },
  }
})
