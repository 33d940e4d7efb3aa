// Registrations and sign-ins under way. Each attempt belongs to the browser session that began it.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { dataOf } from './service.mjs'
import { codeAsSvg } from './pages.mjs'

const POLL_PAUSE = 150
const MOST_MISSES = 8
const LONGEST_LIFE = 3600_000
const KEPT_AFTER_END = 10 * 60_000

const isEmpty = (error) => error === undefined || error === ''
const asText = (value) => (typeof value === 'string' ? value.slice(0, 300) : '')

// Rule: only this makes a `success` count. A registration has no user_id.
const isBelievable = (envelope, data, userId) =>
  typeof data.svc_user === 'string' && data.svc_user.trim() !== '' &&
  isEmpty(data.error) && isEmpty(envelope.error) &&
  (userId === undefined || data.user_id === userId)

// What one response of a result address means.
const judge = (answer, userId) => {
  // These two codes are final whatever the HTTP status is.
  if (answer?.body.code === 41001) return { kind: 'failed', why: 'The result was read before.' }
  if (answer?.body.code === 40402) return { kind: 'failed', why: 'The service does not know this request.' }
  const data = dataOf(answer)
  if (data === undefined) return { kind: 'nothing' }
  switch (data.status) {
    case 'init':
      return { kind: 'waiting' }
    case 'bind':
      return { kind: 'waiting', scannedBy: asText(data.svc_user) }
    case 'success':
      return isBelievable(answer.body, data, userId) ? { kind: 'success' } : { kind: 'failed', why: 'The answer of the service cannot be believed.' }
    case 'fail':
      return { kind: 'failed', why: `The phone did not confirm. ${asText(data.error)}` }
    case 'timeout':
      return { kind: 'failed', why: 'The time is over.' }
    default:
      return { kind: 'nothing' }
  }
}

// The text of the code and the msg_id, or undefined when the address is not one of the service that this site knows.
const readAddress = (text, origin, ceremony) => {
  if (typeof text !== 'string' || text.length > 500 || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const token = /^#([ra])([A-Za-z0-9_-]{1,200})$/.exec(url.hash)
  if (url.origin !== origin || url.username !== '' || url.password !== '' || token?.[1] !== ceremony) return undefined
  return { code: url.href, msgId: token[2] }
}

const readExpiry = (seconds) => {
  const end = typeof seconds === 'number' ? seconds * 1000 : NaN
  return end > Date.now() && end <= Date.now() + LONGEST_LIFE ? end : undefined
}

export class Attempts {
  #service
  #accounts
  #byId = new Map()
  #usedMessages = new Set()

  constructor(service, accounts) {
    this.#service = service
    this.#accounts = accounts
  }

  get(id) {
    return this.#byId.get(id)
  }

  #create(owner, account, kind, method) {
    const attempt = { id: randomBytes(12).toString('hex'), owner, account, kind, method, state: 'pending', scannedBy: '', why: '', claimed: false }
    this.#byId.set(attempt.id, attempt)
    return attempt
  }

  // An end is final: whatever comes later changes nothing.
  #end(attempt, state, why = '') {
    if (attempt.state !== 'pending') return
    attempt.state = state
    attempt.why = why
    attempt.code = undefined
    setTimeout(() => this.#byId.delete(attempt.id), KEPT_AFTER_END).unref()
  }

  endAllOf(owner) {
    for (const attempt of this.#byId.values()) if (attempt.owner === owner) this.#end(attempt, 'failed', 'You signed out.')
  }

  async signIn(owner, account, method) {
    const attempt = this.#create(owner, account, 'sign-in', method)
    await this.#begin(attempt, 'assertion', { user_id: account.userId, username: account.name, method })
    return attempt
  }

  // `account` is new, or the one that the browser is signed in to. A new one is stored when its passkey is there, not before.
  async register(owner, account) {
    const attempt = this.#create(owner, account, 'registration', 'qrcode')
    const before = await this.#service.credentials(account.userId)
    if (before === undefined) {
      this.#end(attempt, 'failed', 'The service gave no usable answer.')
      return attempt
    }
    attempt.before = new Set([...before.map(({ id }) => id), ...account.passkeys.keys()])
    await this.#begin(attempt, 'attestation', { user_id: account.userId, username: account.name })
    return attempt
  }

  async #begin(attempt, ceremony, json) {
    const answer = await this.#service.call('POST', `/rp/${ceremony}/options`, { json })
    const data = dataOf(answer)
    if (data === undefined) {
      const known = { 40403: 'The service knows no passkey of this account.', 40901: 'This account has as many passkeys as are allowed.' }
      return this.#end(attempt, 'failed', known[answer?.body.code] ?? 'The service gave no usable answer.')
    }
    const address = readAddress(data.url, this.#service.origin, ceremony === 'attestation' ? 'r' : 'a')
    const deadline = readExpiry(data.expires_at)
    // Two attempts with one msg_id could both be ended by one answer of one phone.
    if (address === undefined || deadline === undefined || this.#usedMessages.has(address.msgId)) {
      return this.#end(attempt, 'failed', 'The service gave an answer that cannot be used.')
    }
    this.#usedMessages.add(address.msgId)
    setTimeout(() => this.#usedMessages.delete(address.msgId), 2 * LONGEST_LIFE).unref()
    attempt.deadline = deadline
    if (attempt.method === 'qrcode') attempt.code = codeAsSvg(address.code)
    this.#follow(attempt, `/rp/${ceremony}/result?msg_id=${address.msgId}`).catch((error) => {
      console.error(error)
      this.#end(attempt, 'failed', 'Something went wrong on this site.')
    })
  }

  async #follow(attempt, path) {
    const userId = attempt.kind === 'sign-in' ? attempt.account.userId : undefined
    let misses = 0
    while (attempt.state === 'pending') {
      await pause(POLL_PAUSE)
      if (attempt.state !== 'pending') break
      const left = attempt.deadline - Date.now()
      if (left <= 0) {
        this.#end(attempt, 'failed', 'The time is over.')
        break
      }
      const answer = await this.#service.call('GET', path, { wait: left })
      const verdict = judge(answer, userId)
      misses = verdict.kind === 'nothing' ? misses + 1 : 0
      if (verdict.kind === 'waiting') attempt.scannedBy = verdict.scannedBy ?? attempt.scannedBy
      if (verdict.kind === 'failed') this.#end(attempt, 'failed', verdict.why)
      if (verdict.kind === 'success') await this.#succeed(attempt)
      if (misses >= MOST_MISSES) this.#end(attempt, 'failed', 'The service gave no usable answer.')
    }
  }

  async #succeed(attempt) {
    if (attempt.kind === 'registration' && !(await this.#keepPasskeys(attempt))) return
    this.#end(attempt, 'succeeded')
  }

  // A registration counts only when the service lists a credential that was not there before.
  async #keepPasskeys(attempt) {
    const { account, owner, before } = attempt
    let listed
    for (let tries = 0; tries < 3 && listed === undefined; tries += 1) {
      // Only the first try may come after the end of the attempt.
      if (tries > 0 && Date.now() + POLL_PAUSE >= attempt.deadline) break
      if (tries > 0) await pause(POLL_PAUSE)
      listed = await this.#service.credentials(account.userId)
    }
    const own = (listed ?? []).filter(({ userId }) => userId === account.userId)
    if (!own.some(({ id }) => !before.has(id))) {
      this.#end(attempt, 'failed', 'The service does not show the new passkey.')
      return false
    }
    // The wait was long enough for a sign-out, or for somebody else to take the name.
    const stored = this.#accounts.get(account.name)
    if (attempt.state !== 'pending' || (stored !== undefined && (stored !== account || owner.account !== account))) {
      this.#end(attempt, 'failed', 'This name was taken meanwhile.')
      return false
    }
    for (const { id, name } of own) account.passkeys.set(id, name)
    this.#accounts.set(account.name, account)
    return true
  }
}
