/**
 * The test API of FIDO's conformance program over @simplewebauthn/server, from that library's documentation alone.
 * PORT and ORIGIN come from the environment; it prints its address as JSON, and forgets all when it ends.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'

const users = new Map()
const sessions = new Map()

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const answer = (status, body, headers = {}) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    const sid = /(?:^|; )sid=([0-9a-f]+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomBytes(16).toString('hex')
    const session = sessions.get(sid) ?? {}
    sessions.set(sid, session)
    const cookie = { 'Set-Cookie': `sid=${sid}; HttpOnly; Path=/` }
    const run = routes[`${request.method} ${request.url}`]
    if (run === undefined) return answer(404, { status: 'failed', errorMessage: 'no such route' })
    answer(200, { status: 'ok', errorMessage: '', ...(await run(body, session)) }, cookie)
  } catch (error) {
    answer(400, { status: 'failed', errorMessage: error instanceof Error ? error.message : String(error) })
  }
})

const origin = () => process.env.ORIGIN ?? `http://localhost:${server.address().port}`
const rpID = () => new URL(origin()).hostname

const userNamed = (name) => {
  const user = users.get(name)
  if (user === undefined) throw new Error('no such user')
  return user
}

const routes = {
  'POST /attestation/options': async ({ username, displayName, attestation, authenticatorSelection }, session) => {
    if (typeof username !== 'string' || username === '') throw new Error('username is missing')
    const user = users.get(username) ?? { name: username, credentials: [] }
    users.set(username, user)
    const options = await generateRegistrationOptions({
      rpName: 'simplewebauthn',
      rpID: rpID(),
      userName: username,
      userDisplayName: displayName,
      ...(user.handle === undefined ? {} : { userID: Buffer.from(user.handle, 'base64url') }),
      attestationType: attestation ?? 'none',
      authenticatorSelection,
      supportedAlgorithmIDs: [-7, -8, -257, -35, -36, -37, -38, -39, -258, -259],
      excludeCredentials: user.credentials.map(({ id, transports }) => ({ id, transports })),
    })
    user.handle ??= options.user.id
    const uv = options.authenticatorSelection?.userVerification
    Object.assign(session, { username, challenge: options.challenge, uv })
    return options
  },
  'POST /attestation/result': async (body, session) => {
    const { username, challenge, uv } = session
    delete session.challenge
    if (challenge === undefined) throw new Error('no registration was begun')
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: body,
      expectedChallenge: challenge,
      expectedOrigin: origin(),
      expectedRPID: rpID(),
      requireUserVerification: uv === 'required',
      supportedAlgorithmIDs: [-7, -8, -257, -35, -36, -37, -38, -39, -258, -259],
    })
    if (!verified) throw new Error('not verified')
    for (const { credentials } of users.values())
      if (credentials.some(({ id }) => id === registrationInfo.credential.id)) throw new Error('this credential is known')
    userNamed(username).credentials.push({ ...registrationInfo.credential, transports: body.response.transports })
    return {}
  },
  'POST /assertion/options': async ({ username, userVerification }, session) => {
    const user = userNamed(username)
    const options = await generateAuthenticationOptions({
      rpID: rpID(),
      userVerification,
      allowCredentials: user.credentials.map(({ id, transports }) => ({ id, transports })),
    })
    Object.assign(session, { username, challenge: options.challenge, uv: options.userVerification })
    return options
  },
  'POST /assertion/result': async (body, session) => {
    const { username, challenge, uv } = session
    delete session.challenge
    if (challenge === undefined) throw new Error('no sign-in was begun')
    const user = userNamed(username)
    const credential = user.credentials.find(({ id }) => id === body.id)
    if (credential === undefined) throw new Error('no such credential of this user')
    const { userHandle } = body.response ?? {}
    if (userHandle != null && userHandle !== user.handle) throw new Error('the user handle is somebody else’s')
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: body,
      expectedChallenge: challenge,
      expectedOrigin: origin(),
      expectedRPID: rpID(),
      requireUserVerification: uv === 'required',
      credential,
    })
    if (!verified) throw new Error('not verified')
    credential.counter = authenticationInfo.newCounter
    return {}
  },
}

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(JSON.stringify({ url: `http://localhost:${server.address().port}` })))
