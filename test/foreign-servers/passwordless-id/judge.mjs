/** bench:judges over @passwordless-id/webauthn: as server.mjs calls it, with the copies that a browser sends. */
import { server as webauthn } from '@passwordless-id/webauthn'
import { judgeLines, origin, rpId } from '../../benchmarks/judges/loop.mjs'

const expected = ({ challenge }) => ({ challenge, origin, domain: rpId, userVerified: true })

judgeLines({
  register: async (line, body) => {
    const user = { id: line.user, name: 'bench', displayName: 'Bench' }
    const { credential, authenticator } = await webauthn.verifyRegistration({ ...body, user }, expected(line))
    return { credential, counter: authenticator.counter }
  },
  signIn: async (line, body, { credential, counter }) => {
    await webauthn.verifyAuthentication(body, credential, { ...expected(line), counter })
  },
})
