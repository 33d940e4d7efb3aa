/** bench:judges over webauthn4js, go-webauthn as Wasm: as server.mjs calls it, without the server. */
import makeWebAuthn from 'webauthn4js'
import { judgeLines, origin, rpId } from '../../benchmarks/judges/loop.mjs'

const library = await makeWebAuthn({ RPDisplayName: 'bench', RPID: rpId, RPOrigins: [origin] })
const userOf = ({ user }, ...credentials) => ({
  id: Buffer.from(user, 'base64url'),
  name: 'bench',
  displayName: 'Bench',
  iconURL: '',
  credentials,
})
// What its beginRegistration and beginLogin answer for such a user, with the challenge that was signed.
const session = ({ challenge, user, id }, signingIn) => ({
  challenge,
  user_id: Buffer.from(user, 'base64url').toString('base64'),
  expires: '0001-01-01T00:00:00Z',
  userVerification: 'required',
  ...(signingIn && { allowed_credentials: [Buffer.from(id, 'base64url').toString('base64')] }),
})

judgeLines({
  register: (line, body) => library.finishRegistration(userOf(line), session(line, false), body),
  signIn: async (line, body, credential) => {
    const { authenticator } = await library.finishLogin(userOf(line, credential), session(line, true), body)
    if (authenticator.cloneWarning) throw new Error('the counter did not grow')
  },
})
