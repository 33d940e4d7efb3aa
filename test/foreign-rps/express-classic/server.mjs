// A small site whose users sign in with a passkey on their phone.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import express from 'express'
import { Attempts } from './attempts.mjs'
import { attemptPage, homePage, problemPage, registerPage, signInPage, style } from './pages.mjs'
import { Service } from './service.mjs'

const { PORT, FIDO_URL, FIDO_KEY, FIDO_SECRET } = process.env
if (!PORT || !FIDO_URL || !FIDO_KEY || !FIDO_SECRET) {
  console.error('PORT, FIDO_URL, FIDO_KEY and FIDO_SECRET must be set.')
  process.exit(2)
}

const accounts = new Map()
const sessions = new Map()
const attempts = new Attempts(new Service(FIDO_URL, FIDO_KEY, FIDO_SECRET), accounts)

const newAccount = (name) => ({ name, userId: `acct_${randomBytes(10).toString('hex')}`, passkeys: new Map() })

// Cookies do not know ports, so the name is one that another site on this host does not use.
const COOKIE = 'express_classic_session'
const IDLE = 8 * 3600_000

const cookieOf = (req) => {
  for (const pair of (req.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === COOKIE) return pair.slice(at + 1).trim()
  }
  return undefined
}

const sessionOf = (req) => {
  const session = sessions.get(cookieOf(req))
  if (session) session.usedAt = Date.now()
  return session
}

// A new ID and a new token: whoever knew the old ones knows nothing about a signed-in session.
const renew = (res, session) => {
  sessions.delete(session.id)
  session.id = randomBytes(20).toString('hex')
  session.csrf = randomBytes(20).toString('hex')
  sessions.set(session.id, session)
  // Behind TLS the option `secure` belongs here too.
  res.cookie(COOKIE, session.id, { httpOnly: true, sameSite: 'lax', path: '/' })
}

const openSession = (req, res) => {
  const known = sessionOf(req)
  if (known) return known
  const session = { usedAt: Date.now() }
  renew(res, session)
  return session
}

setInterval(() => {
  for (const [id, session] of sessions) if (session.usedAt < Date.now() - IDLE) sessions.delete(id)
}, 60_000).unref()

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use((req, res, next) => {
  res.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff'
  })
  next()
})

const readForm = express.urlencoded({ extended: false, limit: '8kb' })

const checkForm = (req, res, next) => {
  const session = sessionOf(req)
  const sent = Buffer.from(String(req.body?.csrf ?? ''))
  const expected = Buffer.from(session?.csrf ?? '')
  if (!session || sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    return res.status(403).send(problemPage('The form is too old', 'Go back to the start and try again.'))
  }
  req.session = session
  session.notice = ''
  next()
}

// The name as it was typed, without the blanks around it; undefined when it is none that the service takes.
const readName = (value) => {
  const name = typeof value === 'string' ? value.trim() : ''
  const length = [...name].length
  return length >= 1 && length <= 128 && name.isWellFormed() && !/\p{Cc}/u.test(name) ? name : undefined
}
const BAD_NAME = 'A name has 1 to 128 characters, and no control characters.'

app.get('/style.css', (req, res) => res.type('css').send(style))
app.get('/', (req, res) => res.send(homePage(openSession(req, res))))
app.get('/register', (req, res) => res.send(registerPage(openSession(req, res))))
app.get('/sign-in', (req, res) => res.send(signInPage(openSession(req, res))))

app.post('/register', readForm, checkForm, async (req, res) => {
  const { session } = req
  const name = readName(req.body.name)
  if (name === undefined) return res.status(400).send(registerPage(session, '', BAD_NAME))
  if (accounts.has(name)) return res.status(409).send(registerPage(session, name, 'This name is taken. Its owner can sign in and add a passkey.'))
  const attempt = await attempts.register(session, newAccount(name))
  res.redirect(303, `/attempts/${attempt.id}`)
})

app.post('/passkeys', readForm, checkForm, async (req, res) => {
  const { session } = req
  if (!session.account) return res.status(403).send(problemPage('Nobody is signed in', 'Sign in first.'))
  const attempt = await attempts.register(session, session.account)
  res.redirect(303, `/attempts/${attempt.id}`)
})

app.post('/sign-in', readForm, checkForm, async (req, res) => {
  const { session } = req
  const { method = 'qrcode' } = req.body
  const name = readName(req.body.name)
  if (name === undefined) return res.status(400).send(signInPage(session, '', BAD_NAME))
  if (method !== 'qrcode' && method !== 'push') return res.status(400).send(signInPage(session, name, 'Choose a code or a push.'))
  const account = accounts.get(name)
  if (!account) return res.status(404).send(signInPage(session, name, 'There is no account of this name.'))
  const attempt = await attempts.signIn(session, account, method)
  res.redirect(303, `/attempts/${attempt.id}`)
})

app.post('/sign-out', readForm, checkForm, (req, res) => {
  const { session } = req
  attempts.endAllOf(session)
  session.account = undefined
  sessions.delete(session.id)
  res.clearCookie(COOKIE, { path: '/' })
  res.redirect(303, '/')
})

app.get('/attempts/:id', (req, res) => {
  const session = sessionOf(req)
  const attempt = attempts.get(req.params.id)
  // Another browser learns nothing, not even whether the attempt exists.
  if (!attempt || attempt.owner !== session) return res.status(404).send(problemPage('Not known here', 'This attempt is not known in this browser.'))
  if (attempt.state !== 'succeeded') return res.send(attemptPage(attempt))
  // The success is used up by the first look, so that an old address cannot sign in again.
  if (!attempt.claimed) {
    attempt.claimed = true
    session.account = attempt.account
    session.notice = attempt.kind === 'registration' ? 'Your passkey is registered.' : 'You are signed in.'
    renew(res, session)
  }
  res.redirect(303, '/')
})

app.use((req, res) => res.status(404).send(problemPage('Not found', 'There is no such page.')))

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  const status = error.status >= 400 && error.status < 500 ? error.status : 503
  if (status === 503) console.error(error)
  res.status(status).send(problemPage('This did not work', 'Go back to the start and try again.'))
})

app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`Listening on http://127.0.0.1:${PORT}`)
})
