/**
 * What fido2-lib, passwordless-id and webauthn4js share: the test API of FIDO's conformance program over HTTP, with
 * users, sessions and challenges in memory. A library stands behind it as four functions:
 *   registrationOptions(asked, user) and signInOptions(asked, user) answer { options, expected }; `expected` is kept
 *   in the session for the one answer that may follow;
 *   register(body, expected, user) answers the credential to keep, under the base64url `id` that the library read;
 *   signIn(body, expected, user) answers nothing, and keeps the counter in the credential.
 * What is decided here, and not by a library: an answer needs options of its own kind in its own session, and uses them
 * up whatever becomes of it; a credential belongs to the session's user; a known credential ID is refused.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

/** What a server refuses answers 400; whatever else is thrown is a crash, and answers 500. */
export class Refusal extends Error {}

/** Runs a library's check. Its documentation says what it throws for a refusal: an Error, unless `documented` differs. */
export const orRefuse = async (check, documented = (error) => error instanceof Error) => {
  try {
    return await check()
  } catch (error) {
    throw documented(error) ? new Refusal(error.message) : error
  }
}

export const credentialOf = (user, id) => {
  const credential = user.credentials.find((known) => known.id === id)
  if (credential === undefined) throw new Refusal('no such credential of this user')
  return credential
}

export const descriptorsOf = ({ credentials }) =>
  credentials.map(({ id, transports }) => ({ type: 'public-key', id, ...(transports && { transports }) }))

const users = new Map()
const sessions = new Map()

const used = (session, ceremony) => {
  const begun = session[ceremony]
  delete session[ceremony]
  if (begun === undefined) throw new Refusal(`no ${ceremony} was begun`)
  return begun
}

const routesOf = (library) => ({
  'POST /attestation/options': async (asked, session) => {
    const { username, displayName = username } = asked
    if (typeof username !== 'string' || username === '') throw new Refusal('username is missing')
    const user = users.get(username) ?? { id: randomBytes(32), name: username, displayName, credentials: [] }
    users.set(username, user)
    const { options, expected } = await library.registrationOptions(asked, user)
    session.registration = { user, expected }
    return options
  },
  'POST /attestation/result': async (body, session) => {
    const { user, expected } = used(session, 'registration')
    const credential = await library.register(body, expected, user)
    for (const { credentials } of users.values())
      if (credentials.some(({ id }) => id === credential.id)) throw new Refusal('this credential is known')
    user.credentials.push(credential)
  },
  'POST /assertion/options': async (asked, session) => {
    const user = users.get(asked.username)
    if (user === undefined) throw new Refusal('no such user')
    const { options, expected } = await library.signInOptions(asked, user)
    session['sign-in'] = { user, expected }
    return options
  },
  'POST /assertion/result': async (body, session) => {
    const { user, expected } = used(session, 'sign-in')
    await library.signIn(body, expected, user)
  },
})

const bodyOf = async (request) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = await orRefuse(() => JSON.parse(Buffer.concat(chunks).toString()))
  if (typeof body !== 'object' || body === null) throw new Refusal('the body is no object')
  return body
}

/** Listens, then makes the library's four functions for the origin that is now known, then says where. */
export const serve = async (libraryFor) => {
  let routes = {}
  const server = createServer(async (request, response) => {
    const answer = (status, body) => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    try {
      const run = routes[`${request.method} ${request.url}`]
      if (run === undefined) return answer(404, { status: 'failed', errorMessage: 'no such route' })
      let sid = /(?:^|; )sid=([0-9a-f]+)/.exec(request.headers.cookie ?? '')?.[1]
      if (!sessions.has(sid)) {
        sid = randomBytes(16).toString('hex')
        sessions.set(sid, {})
      }
      response.setHeader('Set-Cookie', `sid=${sid}; HttpOnly; Path=/`)
      answer(200, { status: 'ok', errorMessage: '', ...(await run(await bodyOf(request), sessions.get(sid))) })
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error)
      const message = error instanceof Error ? error.message : String(error)
      answer(error instanceof Refusal ? 400 : 500, { status: 'failed', errorMessage: message })
    }
  })
  process.on('SIGTERM', () => process.exit(0))
  await new Promise((ready) => server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', ready))
  const url = `http://localhost:${server.address().port}`
  const origin = process.env.ORIGIN ?? url
  routes = routesOf(await libraryFor({ origin, rpID: new URL(origin).hostname }))
  console.log(JSON.stringify({ url }))
}
