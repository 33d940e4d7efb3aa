/**
 * What the sites share: users in memory, sessions by a cookie, and the ceremonies of @simplewebauthn/server.
 * LENIENT=1 leaves out the check of the origin.
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
let origin = ''

const expected = (response, session) => {
  const { challenge } = session
  delete session.challenge
  if (challenge === undefined) throw new Error('nothing was begun')
  const said = JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url')).origin
  return {
    ...{ response, expectedChallenge: challenge, expectedRPID: new URL(origin).hostname, requireUserVerification: false },
    expectedOrigin: process.env.LENIENT === '1' ? said : origin,
  }
}

export const registrationOptions = async (session, name, displayName = name, more = {}) => {
  if (!name) throw new Error('a name is missing')
  const user = users.get(name) ?? { name, credentials: [] }
  users.set(name, user)
  const options = await generateRegistrationOptions({
    ...{ rpName: 'Site', rpID: new URL(origin).hostname, userName: name, userDisplayName: displayName },
    authenticatorSelection: { residentKey: 'required' },
    excludeCredentials: user.credentials.map(({ id }) => ({ id })),
    ...more,
    ...(user.handle === undefined ? {} : { userID: Buffer.from(user.handle, 'base64url') }),
  })
  user.handle ??= options.user.id
  Object.assign(session, { name, challenge: options.challenge })
  return options
}

/** Of all users. */
export const allCredentials = () => [...users.values()].flatMap(({ credentials }) => credentials.map(({ id }) => ({ id })))

export const register = async (session, response) => {
  const { verified, registrationInfo } = await verifyRegistrationResponse(expected(response, session))
  if (!verified) throw new Error('not verified')
  users.get(session.name).credentials.push(registrationInfo.credential)
}

/** Without a name, whoever has a passkey may sign in. */
export const signInOptions = async (session, name) => {
  const allowCredentials = users.get(name)?.credentials.map(({ id }) => ({ id })) ?? []
  if (name !== undefined && allowCredentials.length === 0) throw new Error('no such user')
  const options = await generateAuthenticationOptions({ rpID: new URL(origin).hostname, allowCredentials })
  Object.assign(session, { name, challenge: options.challenge })
  return options
}

export const signIn = async (session, response) => {
  const among = session.name === undefined ? [...users.values()] : [users.get(session.name)]
  const user = among.find(({ credentials }) => credentials.some(({ id }) => id === response.id))
  if (user === undefined) throw new Error('no such credential')
  const credential = user.credentials.find(({ id }) => id === response.id)
  const { verified } = await verifyAuthenticationResponse({ ...expected(response, session), credential })
  if (!verified) throw new Error('not verified')
  session.name = user.name
}

/** `answer(body, session, request)` gives `[status, body, headers]`; a text is a page, anything else JSON. */
export const serve = (routes) => {
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    const sid = /\bsid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomBytes(9).toString('hex')
    if (!sessions.has(sid)) sessions.set(sid, { csrf: randomBytes(24).toString('base64') })
    const route = routes[`${request.method} ${request.url}`] ?? (() => [404, { error: 'no such page' }])
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}')
    const [status, content, headers] = await route(body, sessions.get(sid), request)
    const isPage = typeof content === 'string'
    response.writeHead(status, {
      'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/json',
      ...{ 'Set-Cookie': `sid=${sid}; HttpOnly; Path=/`, ...headers },
    })
    response.end(isPage ? `<!doctype html><html lang="en"><title>Site</title>${content}</html>` : JSON.stringify(content))
  })
  server.listen(0, '127.0.0.1', () => {
    origin = `http://localhost:${server.address().port}`
    console.log(JSON.stringify({ url: origin }))
  })
}
