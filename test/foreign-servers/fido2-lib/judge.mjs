/** bench:judges over fido2-lib: as server.mjs calls it, without the server. */
import { Fido2Lib } from 'fido2-lib'
import { judgeLines, origin, rpId } from '../../benchmarks/judges/loop.mjs'

const library = new Fido2Lib({ rpId, authenticatorUserVerification: 'required' })
const toArrayBuffer = (text) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
const withIDs = (body) => ({ ...body, id: toArrayBuffer(body.id), rawId: toArrayBuffer(body.rawId) })
const expected = ({ challenge }) => ({ rpId, origin, challenge, factor: 'first' })

judgeLines({
  register: async (line, body) => {
    const { authnrData } = await library.attestationResult(withIDs(body), expected(line))
    return { publicKey: authnrData.get('credentialPublicKeyPem'), prevCounter: authnrData.get('counter') }
  },
  signIn: async (line, body, stored) => {
    const allowCredentials = [{ type: 'public-key', id: toArrayBuffer(line.id) }]
    await library.assertionResult(withIDs(body), {
      ...expected(line),
      ...stored,
      userHandle: line.user,
      allowCredentials,
    })
  },
})
