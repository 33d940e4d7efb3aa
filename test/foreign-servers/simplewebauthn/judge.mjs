/** bench:judges over @simplewebauthn/server: as server.mjs calls it, without the server. */
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { judgeLines, origin, rpId } from '../../benchmarks/judges/loop.mjs'

const expected = ({ challenge }) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: true,
})

judgeLines({
  register: async (line, response) => {
    const { verified, registrationInfo } = await verifyRegistrationResponse({ response, ...expected(line) })
    if (!verified) throw new Error('not verified')
    return registrationInfo.credential
  },
  signIn: async (line, response, credential) => {
    const { verified } = await verifyAuthenticationResponse({ response, ...expected(line), credential })
    if (!verified) throw new Error('not verified')
  },
})
