// Reading Room: a site whose readers sign in with their phones, step by step.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import Koa from 'koa'
import qrcode from 'qrcode-generator'
import { Accounts, cleanName } from './accounts.mjs'
import { Attempts } from './attempts.mjs'
import { Service } from './service.mjs'
import * as views from './views.mjs'

const { PORT = '8080', FIDO_URL, FIDO_KEY, FIDO_SECRET } = process.env
const COOKIE = 'reading-room'
const LONGEST_SESSION_MS = 12 * 3600_000

const service = new Service({ base: FIDO_URL, key: FIDO_KEY, secret: FIDO_SECRET })
const accounts = new Accounts()
const attempts = new Attempts(service, accounts)
const sessions = new Map()

const app = new Koa()
app.keys = [randomBytes(32).toString('base64url')]

const sessionOf = (ctx) => {
  const session = sessions.get(ctx.cookies.get(COOKIE, { signed: true }))
  return session && session.since > Date.now() - LONGEST_SESSION_MS ? session : undefined
}

/** Gives a session an id that nobody knew before. */
const giveId = (ctx, session) => {
  sessions.delete(session.id)
  Object.assign(session, { id: randomBytes(18).toString('base64url'), since: Date.now() })
  sessions.set(session.id, session)
  ctx.cookies.set(COOKIE, session.id, { signed: true, httpOnly: true, sameSite: 'lax' })
  return session
}

const openSession = (ctx) => {
  for (const [id, { since }] of sessions) if (since < Date.now() - LONGEST_SESSION_MS) sessions.delete(id)
  return sessionOf(ctx) ?? giveId(ctx, { id: '', account: undefined, wizard: undefined, finished: '' })
}

const account = (ctx) => sessionOf(ctx)?.account

const go = (ctx, path) => {
  ctx.status = 303
  ctx.redirect(path)
}

const refuse = (ctx, status, title, text) => {
  ctx.status = status
  ctx.body = views.messagePage(account(ctx), title, text)
}

/** The first step has put the name into the session; without it the wizard starts over. */
const wizardOf = (ctx, task) => {
  const wizard = sessionOf(ctx)?.wizard
  if (wizard?.task === task) return wizard
  go(ctx, `/${task}`)
}

const problemOf = (task, name) => {
  if (name === undefined) return [400, 'Please give a name of at most 80 characters.']
  if (task === 'register' && accounts.find(name)) return [409, 'This name is taken. If it is yours, sign in with it.']
  if (task === 'sign-in' && !accounts.find(name)) return [404, 'There is no account with this name.']
}

const router = new Router()

router.get('/', (ctx) => {
  ctx.body = views.homePage(account(ctx))
})

for (const task of ['register', 'sign-in']) {
  router.get(`/${task}`, (ctx) => {
    ctx.body = views.namePage(task, account(ctx))
  })
  router.post(`/${task}`, (ctx) => {
    const typed = ctx.request.body?.name
    const name = cleanName(typed)
    const problem = problemOf(task, name)
    if (problem) {
      ctx.status = problem[0]
      ctx.body = views.namePage(task, account(ctx), problem[1], typeof typed === 'string' ? typed : '')
      return
    }
    openSession(ctx).wizard = { task, name }
    go(ctx, task === 'register' ? '/register/passkey' : '/sign-in/method')
  })
}

router.get('/register/passkey', (ctx) => {
  const wizard = wizardOf(ctx, 'register')
  if (wizard) ctx.body = views.passkeyStepPage(wizard.name, account(ctx))
})

router.post('/register/passkey', async (ctx) => {
  const wizard = wizardOf(ctx, 'register')
  if (!wizard) return
  const problem = problemOf('register', wizard.name)
  if (problem) return refuse(ctx, problem[0], 'Registration failed', problem[1])
  const attempt = await attempts.begin(sessionOf(ctx), 'register', accounts.draft(wizard.name))
  go(ctx, `/wait/${attempt.ticket}`)
})

router.get('/sign-in/method', (ctx) => {
  const wizard = wizardOf(ctx, 'sign-in')
  if (wizard) ctx.body = views.methodPage(wizard.name, account(ctx))
})

router.post('/sign-in/method', async (ctx) => {
  const wizard = wizardOf(ctx, 'sign-in')
  if (!wizard) return
  const { method } = ctx.request.body ?? {}
  if (method !== 'qrcode' && method !== 'push') return refuse(ctx, 400, 'Sign-in failed', 'Please choose how to sign in.')
  const attempt = await attempts.begin(sessionOf(ctx), 'sign-in', accounts.find(wizard.name), method)
  go(ctx, `/wait/${attempt.ticket}`)
})

router.get('/wait/:ticket', (ctx) => {
  const attempt = attempts.find(ctx.params.ticket, sessionOf(ctx))
  if (!attempt) return refuse(ctx, 404, 'Not found', 'This is not under way in this browser. It failed, or somebody else began it.')
  if (attempt.state === 'done') return go(ctx, '/done')
  ctx.body = views.waitPage(attempt, account(ctx))
})

router.get('/code/:ticket', (ctx) => {
  const attempt = attempts.find(ctx.params.ticket, sessionOf(ctx))
  if (!attempt?.url || attempt.method !== 'qrcode' || attempts.isOver(attempt)) return
  const code = qrcode(0, 'M')
  code.addData(attempt.url)
  code.make()
  ctx.type = 'image/svg+xml'
  ctx.body = code.createSvgTag({ cellSize: 6, margin: 24, scalable: true })
})

router.get('/progress', async (ctx) => {
  const session = sessionOf(ctx)
  const attempt = attempts.find(ctx.query.ticket, session)
  if (!attempt) {
    ctx.status = 404
    ctx.body = { state: 'unknown' }
    return
  }
  await attempts.progress(attempt)
  if (attempt.state === 'done' && !attempt.claimed && sessions.get(session.id) === session) {
    attempt.claimed = true
    Object.assign(giveId(ctx, session), { account: attempt.account, finished: attempt.text })
  }
  ctx.body = { state: attempt.state, text: attempt.text }
})

router.get('/done', (ctx) => {
  const session = sessionOf(ctx)
  if (!session?.account) return go(ctx, '/')
  ctx.body = views.donePage(session.account, session.finished)
})

router.get('/passkeys', async (ctx) => {
  const reader = account(ctx)
  if (!reader) return go(ctx, '/sign-in')
  ctx.body = views.passkeysPage(reader, await service.passkeys(reader.userId))
})

router.post('/passkeys', async (ctx) => {
  const session = sessionOf(ctx)
  if (!session?.account) return refuse(ctx, 403, 'Registration failed', 'Sign in first. Then you can add a passkey.')
  const attempt = await attempts.begin(session, 'register', session.account)
  go(ctx, `/wait/${attempt.ticket}`)
})

router.post('/sign-out', (ctx) => {
  sessions.delete(sessionOf(ctx)?.id)
  ctx.cookies.set(COOKIE, null, { signed: true })
  go(ctx, '/')
})

for (const [name, type] of [['wizard.js', 'text/javascript'], ['wizard.css', 'text/css']]) {
  const text = readFileSync(new URL(`public/${name}`, import.meta.url), 'utf8')
  router.get(`/public/${name}`, (ctx) => {
    ctx.type = type
    ctx.body = text
  })
}

app.use(async (ctx, next) => {
  ctx.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'", 'X-Content-Type-Options': 'nosniff' })
  const origin = ctx.get('Origin')
  if (ctx.method === 'POST' && origin !== '' && origin !== `${ctx.protocol}://${ctx.host}`) return refuse(ctx, 403, 'Refused', 'This form is from another site.')
  await next()
  if (ctx.status === 404 && ctx.body === undefined) refuse(ctx, 404, 'Not found', 'There is nothing here.')
})
app.use(bodyParser({ enableTypes: ['form'], formLimit: '16kb' }))
app.use(router.routes())
app.listen(Number(PORT), '127.0.0.1')
