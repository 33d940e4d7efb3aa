import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import qrcode from 'qrcode-generator'
import { Attempt } from './attempts.mjs'
import { makeService } from './service.mjs'

const settings = { url: process.env.FIDO_URL, key: process.env.FIDO_KEY, secret: process.env.FIDO_SECRET }
const service = makeService(settings)

const COOKIE = 'reading_room'
const IDLE_VISITOR = 2 * 60 * 60 * 1000
const IDLE_MEMBER = 12 * 60 * 60 * 1000
const MESSAGE_KEPT = 2 * 60 * 60 * 1000

const sessions = new Map() // token -> {token, account, attempt, seen}
const attempts = new Map() // id -> Attempt
const accounts = new Map() // folded name -> {name, userId, passkeys}
const messages = new Map() // msg_id -> when it came; no two attempts may have the same

class Refusal extends Error {
  constructor(statusCode, message) {
    super(message)
    this.statusCode = statusCode
  }
}

const unusable = () => new Refusal(502, 'The passkey service gives no usable answer. Please try again later.')

const fold = (name) => name.toLowerCase()

const readName = (value) => {
  const name = typeof value === 'string' ? value.normalize('NFC').trim() : ''
  if (name === '' || name.length > 40 || /\p{C}/u.test(name)) throw new Refusal(400, 'Please give a name of 1 to 40 characters.')
  return name
}

const forget = (attempt) => {
  attempt.fail('Another request has taken its place.')
  attempts.delete(attempt.id)
}

const endSession = (session) => {
  sessions.delete(session.token)
  if (session.attempt) forget(session.attempt)
}

const dropOld = () => {
  const now = Date.now()
  for (const session of sessions.values()) if (now - session.seen > (session.account ? IDLE_MEMBER : IDLE_VISITOR)) endSession(session)
  for (const [id, since] of messages) if (now - since > MESSAGE_KEPT) messages.delete(id)
}

const renew = (session) => {
  sessions.delete(session.token)
  session.token = randomBytes(24).toString('base64url')
  sessions.set(session.token, session)
}

// Whoever knew the token before a sign-in must not be signed in by it, so a sign-in brings a new one. An ended session stays ended.
const signIn = (session, account) => {
  if (session.account === account || sessions.get(session.token) !== session) return
  session.account = account
  renew(session)
}

const codeOf = (url) => {
  const code = qrcode(0, 'M')
  code.addData(url, 'Byte')
  code.make()
  const size = code.getModuleCount()
  const row = (y) => Array.from({ length: size }, (_, x) => (code.isDark(y, x) ? '1' : '0')).join('')
  return { url, rows: Array.from({ length: size }, (_, y) => row(y)) }
}

// A session has one attempt: a new one ends the one before.
const start = async ({ session, kind, method, account, finish }) => {
  const begun = await service.begin(kind, { user_id: account.userId, username: account.name, ...(kind === 'sign-in' && { method }) })
  if (begun.code === 40403) throw new Refusal(404, 'The passkey service knows no passkey of this user.')
  if (begun.code === 40901) throw new Refusal(409, 'This user has as many passkeys as are allowed.')
  if (!begun.msgId || messages.has(begun.msgId)) throw unusable()
  if (sessions.get(session.token) !== session) throw new Refusal(409, 'You have signed out meanwhile. Please try again.')
  if (session.attempt) forget(session.attempt)
  const attempt = new Attempt({ service, kind, method, session, account, begun, finish })
  messages.set(attempt.msgId, Date.now())
  attempts.set(attempt.id, attempt)
  session.attempt = attempt
  return { ...attempt.report(), code: method === 'qrcode' ? codeOf(attempt.url) : null }
}

const app = Fastify({ bodyLimit: 16 * 1024 })

// A form of another site can send text/plain without being asked first; this server takes JSON alone.
app.removeContentTypeParser('text/plain')
app.decorateRequest('session', null)
app.decorateRequest('token', null)

app.addHook('onRequest', async (request) => {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  request.token = pairs.find(([name]) => name === COOKIE)?.[1] ?? ''
  request.session = sessions.get(request.token) ?? null
  if (request.session) request.session.seen = Date.now()
})

// A visitor without a session gets one with the first attempt.
const withSession = async (request) => {
  if (request.session) return
  dropOld()
  request.session = { token: '', account: null, attempt: null, seen: Date.now() }
  renew(request.session)
}

const cookie = (token, more = '') => `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict${more}`

app.addHook('onSend', async (request, reply) => {
  reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  const { session, token } = request
  if (session && session.token !== token && sessions.get(session.token) === session) reply.header('set-cookie', cookie(session.token))
})

app.setErrorHandler((error, request, reply) => {
  const known = error.statusCode >= 400 && error.statusCode !== 500
  if (!known) console.error(error)
  reply.code(known ? error.statusCode : 503).send({ error: known ? error.message : 'This did not work. Please try again.' })
})

app.setNotFoundHandler((request, reply) => reply.code(404).send({ error: 'There is nothing here.' }))

app.get('/api/me', async ({ session }) => {
  const account = session?.account
  return { signed_in: Boolean(account), name: account?.name ?? null, passkeys: account?.passkeys.size ?? 0 }
})

app.post('/api/registrations', { preHandler: withSession }, async (request, reply) => {
  const { session } = request
  const name = readName(request.body?.name)
  const taken = accounts.get(fold(name))
  // Only its owner adds a passkey to an account. The own record decides, not the service's list.
  if (taken && session.account !== taken) throw new Refusal(409, 'This name is taken. Sign in to add a passkey to it.')
  const account = taken ?? { name, userId: randomUUID(), passkeys: new Set() }
  const before = await service.credentialIds(account.userId)
  if (!before) throw unusable()
  const known = new Set([...before, ...account.passkeys])

  const finish = (credentialIds) => {
    const fresh = credentialIds.filter((id) => !known.has(id))
    if (fresh.length === 0) return 'The service does not list the new passkey.'
    if (accounts.get(fold(name)) !== taken) return 'Somebody else has taken this name meanwhile.'
    if (taken && session.account !== taken) return 'You are not signed in to this account any more.'
    for (const id of fresh) account.passkeys.add(id)
    accounts.set(fold(name), account)
    return ''
  }
  return reply.code(201).send(await start({ session, kind: 'registration', method: 'qrcode', account, finish }))
})

app.post('/api/sign-ins', { preHandler: withSession }, async (request, reply) => {
  const { session } = request
  const method = request.body?.method
  if (method !== 'qrcode' && method !== 'push') throw new Refusal(400, 'The method is qrcode or push.')
  const account = accounts.get(fold(readName(request.body?.name)))
  if (!account) throw new Refusal(404, 'Nobody of this name has a passkey here.')
  return reply.code(201).send(await start({ session, kind: 'sign-in', method, account, finish: () => '' }))
})

app.get('/api/attempts/:id', async (request) => {
  const attempt = attempts.get(request.params.id)
  // An attempt belongs to the session that began it; for any other it does not exist.
  if (!attempt || attempt.session !== request.session) throw new Refusal(404, 'There is no such attempt.')
  await attempt.ask()
  if (attempt.kind === 'sign-in' && attempt.state === 'success') signIn(request.session, attempt.account)
  return attempt.report()
})

app.delete('/api/session', async (request, reply) => {
  if (request.session) endSession(request.session)
  return reply.code(204).header('set-cookie', cookie('', '; Max-Age=0')).send()
})

for (const [path, file, type] of [
  ['/', 'index.html', 'text/html'],
  ['/app.js', 'app.js', 'text/javascript'],
  ['/style.css', 'style.css', 'text/css'],
]) {
  const text = readFileSync(new URL(`page/${file}`, import.meta.url), 'utf8')
  app.get(path, (request, reply) => reply.type(`${type}; charset=utf-8`).send(text))
}

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
