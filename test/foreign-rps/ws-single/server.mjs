// One page and one WebSocket: passkeys on a phone, everything in memory.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import qrcode from 'qrcode-generator'
import { WebSocketServer } from 'ws'
import { judge, PATIENCE, Service } from './service.mjs'

const { PORT, FIDO_URL, FIDO_KEY, FIDO_SECRET } = process.env
const service = new Service(FIDO_URL, FIDO_KEY, FIDO_SECRET)

const BETWEEN_POLLS = 150
const MISSES = 8
const MOST_ATTEMPTS = 300
const HOUR = 3600_000
// Cookies do not tell ports apart, so two sites on one host need two names.
const COOKIE = `single_${PORT}`
const UNKNOWN_SESSION = 4001

const accounts = new Map() // key of the name -> { name, userId, passkeys }
const sessions = new Map() // cookie -> session
const usedMessages = new Map() // msg_id -> when it expires: no two requests may share one
const underWay = new Set() // attempts

class Refusal extends Error {}

// Accounts

const keyOf = (name) => name.normalize('NFC').toLowerCase()

function nameOf(value) {
  const name = typeof value === 'string' ? value.trim().normalize('NFC') : ''
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@'-]{0,39}$/u.test(name)) {
    throw new Refusal('A name has 1 to 40 letters, digits, spaces and . _ @ \' -, and begins with a letter or a digit.')
  }
  return name
}

// The salt is new for each account that somebody wants to have, so no two accounts share an id.
const newUserId = (name) => createHash('sha256').update(randomBytes(16)).update(name).digest('base64url').slice(0, 22)

// Sessions

function newSession() {
  const id = randomBytes(24).toString('base64url')
  sessions.set(id, { account: null, attempt: null, beginning: false, turn: 0, sockets: new Set(), seen: Date.now() })
  return id
}

function sessionOf(req) {
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === COOKIE && sessions.has(value)) return sessions.get(value)
  }
  return null
}

function stateOf({ account, attempt }) {
  // What ended long ago is not worth telling after a reload.
  const told = attempt !== null && (attempt.endedAt === 0 || Date.now() - attempt.endedAt < 60_000)
  return {
    type: 'state',
    signedIn: account === null ? null : { name: account.name, passkeys: account.passkeys.size },
    attempt: told ? {
      id: attempt.id, what: attempt.kind === 'attestation' ? 'register' : 'signin', name: attempt.name,
      state: attempt.state, message: attempt.message, ...(attempt.endedAt === 0 ? { code: attempt.code } : {}),
    } : null,
  }
}

const send = (socket, message) => { if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message)) }

function push(session) {
  const state = stateOf(session)
  for (const socket of session.sockets) send(socket, state)
}

// Attempts

async function begin(session, what, name) {
  const kind = what === 'register' ? 'attestation' : 'assertion'
  let account = accounts.get(keyOf(name)) ?? null
  if (kind === 'assertion' && account === null) throw new Refusal('There is no account of this name.')
  if (kind === 'attestation' && account !== null && session.account !== account) {
    throw new Refusal('This name is taken. Its owner must sign in to add a passkey.')
  }
  if (session.beginning) throw new Refusal('One moment: the attempt before this one is still being begun.')
  if (underWay.size >= MOST_ATTEMPTS) throw new Refusal('Too many people are signing in at the moment. Try again later.')
  const turn = ++session.turn
  const userId = account?.userId ?? newUserId(name)
  session.beginning = true
  try {
    let known = new Set()
    if (kind === 'attestation') {
      known = await service.credentials(userId)
      if (known === null) throw new Refusal('The passkey service gives no usable answer at the moment. Try again later.')
      if (account === null && known.size > 0) throw new Refusal('The passkey service gave an answer that cannot be used.')
    }
    const { refusal, url, msgId, expiresAt } = await service.begin(kind, userId, account?.name ?? name)
    if (refusal !== undefined) throw new Refusal(refusal)
    if (usedMessages.has(msgId)) throw new Refusal('The passkey service gave an answer that cannot be used.')
    usedMessages.set(msgId, expiresAt)
    if (session.turn !== turn) throw new Refusal('It was cancelled.')
    // A session has one attempt: the new one takes the place of the old one.
    end(session.attempt, 'failed', 'Another attempt was begun.')
    const attempt = {
      id: randomBytes(9).toString('base64url'), kind, session, name: account?.name ?? name, account, userId, known,
      msgId, expiresAt, code: codeOf(url), state: 'waiting', message: '', endedAt: 0,
    }
    session.attempt = attempt
    underWay.add(attempt)
    push(session)
    follow(attempt).catch((error) => {
      console.error(error)
      end(attempt, 'failed', 'Something went wrong here.')
    })
  } finally {
    session.beginning = false
  }
}

function end(attempt, state, message) {
  if (attempt === null || attempt.endedAt !== 0) return
  Object.assign(attempt, { state, message, endedAt: Date.now() })
  underWay.delete(attempt)
  push(attempt.session)
}

const late = (attempt) => Date.now() >= attempt.expiresAt

async function follow(attempt) {
  let misses = 0
  for (;;) {
    await sleep(Math.max(0, Math.min(BETWEEN_POLLS, attempt.expiresAt - Date.now())))
    if (attempt.endedAt !== 0) return
    if (late(attempt)) return end(attempt, 'failed', 'The time for it is over.')
    const answer = await service.result(attempt.kind, attempt.msgId, attempt.expiresAt - Date.now())
    if (attempt.endedAt !== 0) return
    const { word, who, why } = judge(answer, attempt.kind === 'assertion' ? attempt.userId : undefined)
    if (late(attempt) || word === 'timeout') return end(attempt, 'failed', 'The time for it is over.')
    misses = word === 'none' ? misses + 1 : 0
    if (misses >= MISSES) return end(attempt, 'failed', 'The passkey service gives no usable answer.')
    switch (word) {
      case 'bind': {
        const message = `${who === '' ? 'Somebody' : who} has scanned the code.`
        if (attempt.message !== message) {
          Object.assign(attempt, { state: 'scanned', message })
          push(attempt.session)
        }
        break
      }
      case 'success': return attempt.kind === 'assertion' ? signIn(attempt) : register(attempt)
      case 'fail': return end(attempt, 'failed', because(why))
      case 'gone': return end(attempt, 'failed', 'The result is no longer there.')
      case 'broken': return end(attempt, 'failed', 'The passkey service gave an answer that cannot be used.')
    }
  }
}

function because(why) {
  if (why === 'user_rejected') return 'It was refused on the phone.'
  if (why === 'no_matching_credential') return 'The phone has no passkey of this account.'
  return `The passkey service did not accept it${why === undefined ? '' : ` (${why})`}.`
}

function signIn(attempt) {
  attempt.session.account = attempt.account
  end(attempt, 'signed-in', `Welcome, ${attempt.account.name}.`)
}

/** Counts the registration when the service lists the new passkey; it has three seconds for that. */
async function register(attempt) {
  const until = Math.min(Date.now() + PATIENCE, attempt.expiresAt)
  while (Date.now() < until) {
    const listed = await service.credentials(attempt.userId, until - Date.now())
    if (attempt.endedAt !== 0) return
    const taken = new Set([...accounts.values()].flatMap(({ passkeys }) => [...passkeys]))
    const added = [...listed ?? []].filter((id) => !attempt.known.has(id) && !taken.has(id))
    if (added.length > 0 && !late(attempt)) return keep(attempt, added)
    await sleep(BETWEEN_POLLS)
    if (attempt.endedAt !== 0) return
  }
  end(attempt, 'failed', 'The passkey service does not list a new passkey.')
}

function keep(attempt, added) {
  const { session, name, userId, account } = attempt
  if (account !== null) {
    if (session.account !== account) return end(attempt, 'failed', 'You are not signed in to this account any more.')
    for (const id of added) account.passkeys.add(id)
    return end(attempt, 'registered', `${name} has one more passkey.`)
  }
  if (accounts.has(keyOf(name))) return end(attempt, 'failed', 'Somebody else has taken this name in the meantime.')
  session.account = { name, userId, passkeys: new Set(added) }
  accounts.set(keyOf(name), session.account)
  end(attempt, 'registered', `Welcome, ${name}.`)
}

/** The code as rows of 0 and 1, without the quiet zone. */
function codeOf(text) {
  const code = qrcode(0, 'M')
  code.addData(text, 'Byte')
  code.make()
  const places = [...Array(code.getModuleCount()).keys()]
  return places.map((row) => places.map((column) => code.isDark(row, column) ? '1' : '0').join(''))
}

// The WebSocket

async function obey(session, data) {
  let message
  try {
    message = JSON.parse(data)
  } catch {
    throw new Refusal('This message is not JSON.')
  }
  session.seen = Date.now()
  switch (message?.type) {
    case 'begin':
      if (message.what !== 'register' && message.what !== 'signin') throw new Refusal('There is no such attempt.')
      return begin(session, message.what, nameOf(message.name))
    case 'cancel':
      session.turn += 1
      return end(session.attempt, 'failed', 'You cancelled it.')
    case 'signout':
      session.turn += 1
      session.account = null
      end(session.attempt, 'failed', 'You signed out.')
      session.attempt = null
      return push(session)
    default:
      throw new Refusal('There is no such message.')
  }
}

const sockets = new WebSocketServer({ noServer: true, maxPayload: 4096 })

sockets.on('connection', (socket, req) => {
  socket.on('error', () => {}) // a frame that is wrong; the library closes the socket
  const session = sessionOf(req)
  if (session === null) return socket.close(UNKNOWN_SESSION, 'The session is unknown.')
  session.sockets.add(socket)
  session.seen = Date.now()
  socket.on('close', () => session.sockets.delete(socket))
  socket.on('message', (data) => {
    obey(session, data.toString()).catch((error) => {
      if (!(error instanceof Refusal)) console.error(error)
      send(socket, { type: 'refused', message: error instanceof Refusal ? error.message : 'Something went wrong here.' })
    })
  })
  let alive = true
  socket.on('pong', () => { alive = true })
  const heartbeat = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
  }, 30_000)
  socket.on('close', () => clearInterval(heartbeat))
  send(socket, stateOf(session))
})

// HTTP: the page and what belongs to it

const file = (name, type) => ({ type, body: readFileSync(new URL(name, import.meta.url)) })
const files = new Map([
  ['/', file('page.html', 'text/html; charset=utf-8')],
  ['/page.js', file('page.js', 'text/javascript; charset=utf-8')],
  ['/page.css', file('page.css', 'text/css; charset=utf-8')],
])

const server = createServer((req, res) => {
  const path = req.url.split('?')[0]
  const found = files.get(path)
  res.setHeader('cache-control', 'no-store')
  res.setHeader('x-content-type-options', 'nosniff')
  res.setHeader('content-security-policy', "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
  if (found === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) {
    res.writeHead(found === undefined ? 404 : 405, { 'content-type': 'text/plain' })
    return res.end(found === undefined ? 'There is nothing here.\n' : 'This address can only be read.\n')
  }
  if (path === '/' && req.method === 'GET' && sessionOf(req) === null) {
    res.setHeader('set-cookie', `${COOKIE}=${newSession()}; Path=/; HttpOnly; SameSite=Strict`)
  }
  res.setHeader('content-type', found.type)
  res.end(found.body)
})

server.on('upgrade', (req, socket, head) => {
  socket.on('error', () => {})
  // Browsers send the cookie with a WebSocket of any page on this host: the page must be ours.
  const { origin, host } = req.headers
  const ours = origin === undefined || origin === `http://${host}` || origin === `https://${host}`
  if (req.url.split('?')[0] !== '/socket' || !ours) {
    return socket.end(`HTTP/1.1 ${ours ? '404 Not Found' : '403 Forbidden'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  }
  sockets.handleUpgrade(req, socket, head, (opened) => sockets.emit('connection', opened, req))
})

setInterval(() => {
  const now = Date.now()
  for (const [id, session] of sessions) {
    const idle = session.sockets.size === 0 && (session.attempt === null || session.attempt.endedAt !== 0)
    if (idle && now - session.seen > (session.account === null ? HOUR : 12 * HOUR)) sessions.delete(id)
  }
  for (const [msgId, expiresAt] of usedMessages) if (expiresAt < now - HOUR) usedMessages.delete(msgId)
}, HOUR / 6).unref()

server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`))
