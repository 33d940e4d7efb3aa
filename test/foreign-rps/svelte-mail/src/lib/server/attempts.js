// A registration or a sign-in under way: a task polls the service, and whoever subscribes sees each change.
import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import qrcode from 'qrcode-generator'
import { accountId, deleteCredentials, isEmpty, listCredentials, readResult } from './service.js'
import { accounts, randomId } from './sessions.js'

const [BETWEEN_POLLS, MOST_FAILURES] = [150, 8]
const ENDED_BY_CODE = new Map([[41001, 'the result was already read'], [40402, 'the service does not know the request any more']])
const words = (text) => (typeof text === 'string' ? text.slice(0, 200) : '')

export class Attempt extends EventEmitter {
  id = randomId()
  state = 'init'

  /** `before` has the id of each passkey that was listed, whoever its owner, when a registration began. */
  constructor({ kind, method, email, message, before }) {
    super()
    Object.assign(this, { kind, email, before, message, userId: accountId(email) })
    this.shown = method === 'push' ? {} : { url: message.url, code: drawCode(message.url) }
    this.text = method === 'push' ? 'Confirm the sign-in on your phone.' : 'Scan the code with the phone app.'
  }

  get active() { return this.state === 'init' || this.state === 'bind' }

  /** What the browser may know. */
  get view() {
    return { id: this.id, email: this.email, state: this.state, text: this.text, ...(this.active ? this.shown : {}) }
  }

  /** A request that has ended stays ended. */
  #change(state, text) {
    if (!this.active || (this.state === state && this.text === text)) return
    Object.assign(this, { state, text })
    this.emit('change')
  }

  #fail(why) {
    this.#change('failed', `${this.kind === 'attestation' ? 'Registration' : 'Sign-in'} failed: ${why.replace(/\.$/, '')}. Please try again.`)
  }

  cancel() { this.#fail('it was cancelled') }

  /** Follows the message to its end. The result counts for `session` alone, which belongs to the browser that began. */
  async follow(session) {
    try {
      const result = await this.#ask((wait) => readResult(this.kind, this.message.msgId, wait), (answer) => this.#judge(answer))
      if (result && this.kind === 'attestation') await this.#keepPasskey(session)
      else if (result && this.active && accounts.has(this.email)) {
        Object.assign(session, { email: this.email, since: Date.now() })
        this.#change('done', 'The sign-in is done.')
      }
    } catch (problem) {
      console.error(problem)
    }
    this.#fail('it gave no result')
  }

  /** Asks until `judge` is content. Gives undefined when the attempt has ended instead. */
  async #ask(request, judge) {
    for (let failures = 0; failures < MOST_FAILURES; ) {
      await pause(BETWEEN_POLLS)
      const left = this.message.expiresAt - Date.now()
      const answer = this.active && left > 0 ? await request(left) : null
      if (Date.now() >= this.message.expiresAt) this.#fail('the time is over')
      const verdict = this.active ? judge(answer) : 'ended'
      if (verdict === 'good') return answer
      if (!this.active) return undefined
      failures = verdict === 'pending' ? 0 : failures + 1
    }
    return this.#fail('the service gives no usable answer')
  }

  #judge(answer) {
    if (ENDED_BY_CODE.has(answer?.code)) return this.#fail(ENDED_BY_CODE.get(answer.code))
    if (!answer?.ok) return 'unusable'
    const { status, svc_user: svcUser, user_id: userId, error } = answer.data
    if (status === 'bind') this.#change('bind', `Scanned by ${words(svcUser) || 'a phone'}. Confirm on the phone.`)
    if (status === 'init' || status === 'bind') return 'pending'
    if (status === 'fail') return this.#fail(words(error) || 'the phone app reported a failure')
    if (status === 'timeout') return this.#fail('the time is over')
    if (status !== 'success') return 'unusable'
    const sound = typeof svcUser === 'string' && svcUser !== '' && isEmpty(error)
    if (!sound || (this.kind === 'assertion' && userId !== this.userId)) return this.#fail('the service reported a success that cannot be trusted')
    return 'good'
  }

  /** A success counts only when the service lists a passkey that the account did not have. */
  async #keepPasskey(session) {
    const listed = await this.#ask((wait) => listCredentials(this.userId, wait), (list) => (list ? 'good' : 'unusable'))
    if (!listed || !this.active) return
    const known = accounts.get(this.email)
    const own = [...listed.keys()].filter((id) => listed.get(id) === this.userId)
    const fresh = own.filter((id) => !this.before.has(id) && !known?.has(id))
    if (fresh.length === 0) return this.#fail('the service does not list the new passkey')
    if (known && session.email !== this.email) {
      // Somebody else has got the account meanwhile: a passkey of this browser must not open it.
      this.#fail('the address was registered by somebody else meanwhile')
      return deleteCredentials(this.userId, fresh)
    }
    accounts.set(this.email, new Set([...(known ?? []), ...fresh]))
    this.#change('done', `Registered a passkey for ${this.email}.`)
  }
}

/** The code as an SVG path of dark modules, with the quiet zone of four modules that scanners need. */
function drawCode(url) {
  const code = qrcode(0, 'M')
  code.addData(url, 'Byte')
  code.make()
  const lines = Array.from({ length: code.getModuleCount() }, (_, line) => line)
  const path = lines.flatMap((y) => lines.map((x) => (code.isDark(y, x) ? `M${x + 4} ${y + 4}h1v1h-1z` : ''))).join('')
  return { size: lines.length + 8, path }
}
