// One registration or sign-in of one visitor. It moves only when the visitor's browser asks how it stands.
import { randomUUID } from 'node:crypto'

const PAUSE = 120
const MOST_FAILURES = 8
const LONGEST_TEXT = 200
const MESSAGE_GONE = [41001, 40402]

const hasValue = (value) => typeof value === 'string' && value.trim() !== ''
const short = (value) => (hasValue(value) ? value.slice(0, LONGEST_TEXT).toWellFormed() : '')

export class Attempt {
  id = randomUUID()
  state = 'waiting'
  message = ''
  scannedBy = ''
  failures = 0
  confirming = false
  busy = false
  nextPoll = Date.now() + PAUSE

  // `finish` gets the IDs of the user's credentials after a registration, and nothing after a sign-in. It answers what keeps the attempt from success, or ''. Signing in is the server's part.
  constructor({ service, kind, method, session, account, begun, finish }) {
    Object.assign(this, { service, kind, method, session, account, finish, ...begun })
  }

  get over() {
    return this.state === 'success' || this.state === 'failed'
  }

  end(state, message) {
    if (this.over) return
    this.state = state
    this.message = message
  }

  fail(message) {
    this.end('failed', message)
  }

  checkTime() {
    if (Date.now() >= this.expiresAt) this.fail('Nobody has answered in time.')
  }

  // The service is asked at most once at a time, and not before the pause is over.
  async ask() {
    this.checkTime()
    if (this.over || this.busy || Date.now() < this.nextPoll) return
    this.busy = true
    try {
      await (this.confirming ? this.confirm() : this.poll())
    } finally {
      this.busy = false
      this.nextPoll = Date.now() + PAUSE
    }
  }

  async poll() {
    const { data, code } = await this.service.result(this.kind, this.msgId)
    // The attempt can have been replaced or signed out meanwhile, and its time can be over.
    this.checkTime()
    if (this.over) return
    if (MESSAGE_GONE.includes(code)) return this.fail('The service does not know this request any more.')
    switch (data?.status) {
      case 'init':
        this.failures = 0
        return
      case 'bind':
        this.failures = 0
        this.state = 'scanned'
        this.scannedBy = short(data.svc_user)
        return
      case 'success':
        return this.succeed(data)
      case 'fail':
        return this.fail(`The phone has not confirmed it. ${short(data.error)}`.trim())
      case 'timeout':
        return this.fail('Nobody has answered in time.')
      default:
        return this.missed()
    }
  }

  missed() {
    this.failures += 1
    if (this.failures >= MOST_FAILURES) this.fail('The service gives no usable answer.')
  }

  succeed(data) {
    if (!hasValue(data.svc_user)) return this.fail('The answer of the service names nobody.')
    if (data.error !== undefined && data.error !== '') return this.fail('The answer of the service contradicts itself.')
    if (this.kind === 'sign-in') {
      if (data.user_id !== this.account.userId) return this.fail('The answer of the service is for somebody else.')
      return this.conclude()
    }
    this.state = 'scanned'
    this.scannedBy = short(data.svc_user)
    this.failures = 0
    this.confirming = true
  }

  // A registration counts when the service also lists the credential. The result is final and is not read again; from now on only the list is asked for.
  async confirm() {
    const credentialIds = await this.service.credentialIds(this.account.userId)
    this.checkTime()
    if (this.over) return
    if (!credentialIds) return this.missed()
    this.conclude(credentialIds)
  }

  conclude(credentialIds) {
    const obstacle = this.finish(credentialIds)
    if (obstacle) this.fail(obstacle)
    else this.end('success', this.kind === 'sign-in' ? 'You are signed in.' : 'The passkey is registered.')
  }

  // What the visitor's browser gets.
  report() {
    return { id: this.id, kind: this.kind, method: this.method, state: this.state, message: this.message, scanned_by: this.scannedBy }
  }
}
