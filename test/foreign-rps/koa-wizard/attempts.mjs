// Registrations and sign-ins under way. Each belongs to the session that began it.
import { randomBytes } from 'node:crypto'
import { isEmpty } from './service.mjs'

const SHORTEST_DISTANCE_MS = 120
const MOST_MISSES = 5
const LONGEST_LIFE_MS = 3600_000

/** The service finishes with these: there is nothing more to read. */
const READ_ALREADY = 41001
const UNKNOWN_MESSAGE = 40402
const REFUSALS = new Map([
  [40403, 'The service knows no passkey of this account.'],
  [40901, 'This account has as many passkeys as it can have.'],
  [40907, 'The service has no room at the moment. Please come back later.'],
])

const TASKS = {
  register: { title: 'Registration', call: 'attestation', letter: 'r' },
  'sign-in': { title: 'Sign-in', call: 'assertion', letter: 'a' },
}

const short = (text) => (typeof text === 'string' ? text.slice(0, 200) : '')

export class Attempts {
  #service
  #accounts
  #byTicket = new Map()

  constructor(service, accounts) {
    this.#service = service
    this.#accounts = accounts
  }

  /** Only for the session that began it. */
  find(ticket, session) {
    const attempt = this.#byTicket.get(ticket)
    return attempt?.session === session ? attempt : undefined
  }

  async begin(session, task, account, method = 'qrcode') {
    const attempt = {
      ticket: randomBytes(15).toString('base64url'),
      ...{ session, task, account, method, ...TASKS[task] },
      ...{ state: 'waiting', text: method === 'push' ? 'Look at your phone: it asks you to confirm.' : 'Scan this code with your phone.' },
      ...{ url: '', msgId: '', deadline: Date.now(), misses: 0, question: undefined, askedAt: 0 },
      known: new Set(account.passkeys),
      claimed: false,
    }
    this.#forgetOld()
    this.#byTicket.set(attempt.ticket, attempt)
    if (task === 'register' && account.passkeys.size > 0) {
      const before = await this.#service.passkeys(account.userId)
      if (before === undefined) return this.#fail(attempt, 'The service did not say which passkeys you have.')
      for (const { credential_id } of before) attempt.known.add(credential_id)
    }
    const user = { user_id: account.userId, username: account.name }
    const { data, code, error } = await this.#service.post(`/rp/${attempt.call}/options`, task === 'register' ? user : { ...user, method })
    if (code !== undefined) return this.#fail(attempt, REFUSALS.get(code) ?? `The service refused: ${short(error)}`)
    if (data === undefined) return this.#fail(attempt, 'The service gave no usable answer.')
    const deadline = typeof data.expires_at === 'number' ? data.expires_at * 1000 : Number.NaN
    if (!(deadline > Date.now() && deadline <= Date.now() + LONGEST_LIFE_MS)) return this.#fail(attempt, 'The service gave no usable time limit.')
    const prefix = this.#service.codePrefix + attempt.letter
    const msgId = String(data.url).startsWith(prefix) ? data.url.slice(prefix.length) : ''
    if (!/^[\w-]{22}$/.test(msgId)) return this.#fail(attempt, 'The service gave no usable code.')
    if ([...this.#byTicket.values()].some((other) => other.msgId === msgId)) return this.#fail(attempt, 'The service gave a code that is in use.')
    return Object.assign(attempt, { url: data.url, msgId, deadline })
  }

  /** The browser asks how it stands: then the service is asked, at most once in a while and never twice at a time. */
  async progress(attempt) {
    if (this.isOver(attempt)) return
    if (Date.now() >= attempt.deadline) return this.#fail(attempt, 'The time is over.')
    if (attempt.question === undefined && Date.now() - attempt.askedAt < SHORTEST_DISTANCE_MS) return
    attempt.question ??= this.#ask(attempt).finally(() => {
      attempt.question = undefined
      attempt.askedAt = Date.now()
    })
    await attempt.question
  }

  isOver({ state }) {
    return state === 'done' || state === 'failed'
  }

  async #ask(attempt) {
    if (attempt.state === 'checking') return this.#confirmPasskey(attempt)
    const path = `/rp/${attempt.call}/result?msg_id=${attempt.msgId}`
    const { data, code } = await this.#service.call('GET', path, { patience: attempt.deadline - Date.now() })
    if (code === READ_ALREADY) return this.#fail(attempt, 'The result was read already.')
    if (code === UNKNOWN_MESSAGE) return this.#fail(attempt, 'The service no longer knows of it.')
    switch (data?.status) {
      case 'init':
        attempt.misses = 0
        return
      case 'bind':
        attempt.misses = 0
        return this.#turn(attempt, 'scanned', `${short(data.svc_user) || 'Somebody'} has the request. Confirm it on the phone.`)
      case 'success':
        return this.#succeed(attempt, data)
      case 'fail':
        return this.#fail(attempt, `The phone did not confirm it. ${short(data.error)}`)
      case 'timeout':
        return this.#fail(attempt, 'Nobody confirmed it in time.')
      default:
        return this.#miss(attempt)
    }
  }

  #succeed(attempt, { svc_user, error, user_id }) {
    if (typeof svc_user !== 'string' || svc_user.trim() === '' || !isEmpty(error)) return this.#fail(attempt, 'The result contradicts itself.')
    if (attempt.task === 'register') {
      this.#turn(attempt, 'checking', 'Looking for your new passkey.')
      attempt.misses = 0
      return this.#confirmPasskey(attempt)
    }
    if (user_id !== attempt.account.userId) return this.#fail(attempt, 'The phone confirmed for somebody else.')
    this.#turn(attempt, 'done', 'You are signed in.')
  }

  /** A registration counts when the service lists a passkey that was not there before. */
  async #confirmPasskey(attempt) {
    const { account } = attempt
    const listed = await this.#service.passkeys(account.userId, attempt.deadline - Date.now())
    const fresh = listed?.filter(({ credential_id }) => !attempt.known.has(credential_id)) ?? []
    if (fresh.length === 0) return this.#miss(attempt)
    const isTheirs = account.passkeys.size === 0 || attempt.session.account === account
    if (!isTheirs) return this.#fail(attempt, 'You are no longer signed in.')
    if (!this.#accounts.add(account)) return this.#fail(attempt, 'This name is taken meanwhile.')
    for (const { credential_id } of fresh) account.passkeys.add(credential_id)
    this.#turn(attempt, 'done', 'Your passkey is registered.')
  }

  #miss(attempt) {
    attempt.misses += 1
    if (attempt.misses >= MOST_MISSES) this.#fail(attempt, 'The service gave no usable answer.')
  }

  #fail(attempt, why) {
    return this.#turn(attempt, 'failed', `${attempt.title} failed. ${why}`)
  }

  #turn(attempt, state, text) {
    return Object.assign(attempt, { state, text })
  }

  #forgetOld() {
    for (const [ticket, { deadline }] of this.#byTicket) if (deadline < Date.now() - LONGEST_LIFE_MS) this.#byTicket.delete(ticket)
  }
}
