import type { RpSuite, RpSuiteCalls } from '../../core/contract/rp-suite.ts'
import type { Values } from '../calls/placeholders.ts'
import { findHeader, type HttpAnswer, type HttpSession } from '../calls/session.ts'
import { MAX_TEXT, openSession, type SessionOptions } from './http-session.ts'
import {
  type AttemptState,
  type Begun,
  ignoreBrokenRp,
  type RpDriver,
  type SuiteUser,
  type Visitor,
} from './rp-driver.ts'

export type CallsSuite = Pick<RpSuite, 'url' | 'answer_s'> & { readonly calls: RpSuiteCalls }
type Around = Pick<SessionOptions, 'ca' | 'signal'> & {
  /** Makes the account of a user. */
  readonly prepare?: (user: SuiteUser) => Promise<SuiteUser>
}

/** Talks to an RP over its own HTTP interface, as configured. */
export const httpDriver = (
  suite: CallsSuite,
  { prepare = async (user) => user, ...around }: Around = {},
): RpDriver => ({
  open: (onText) => ({
    visitor: (kept = {}) => visitorOf(suite, { ...suite, ...around, onText }, kept),
    prepare,
    close: async () => undefined,
  }),
  can: {
    push: suite.calls.push !== undefined,
    pushCode: [suite.calls.push].flat().at(-1)?.address !== undefined,
    signOut: suite.calls.sign_out !== undefined,
    passkeys: suite.calls.passkeys !== undefined,
    remove: suite.calls.remove !== undefined,
  },
})

const visitorOf = ({ calls }: CallsSuite, options: SessionOptions, before: Values): Visitor => {
  const session = openSession(options)
  session.learn(before)
  let last: HttpAnswer | undefined

  const ask: HttpSession['ask'] = async (...call) => {
    last = await session.ask(...call)
    return last
  }

  const begin = async (calls: RpSuiteCalls['sign_in'], user: SuiteUser): Promise<Begun> => {
    session.learn(user)
    const before = session.known()
    const answer = await ask(calls)
    if (answer.isRefusal) {
      const status = answer.status >= 400 ? `HTTP ${answer.status}: ` : ''
      return { ok: false, refusal: `${answer.where}: ${status}${answer.text.slice(0, MAX_TEXT)}` }
    }
    const where = [calls].flat().at(-1)?.address
    const code = where === undefined ? undefined : session.read(answer, where)
    const known = Object.entries(session.known())
    const kept = Object.fromEntries(known.filter(([name, value]) => before[name] !== value))
    return {
      ok: true,
      kept,
      isNameless: () => Object.keys(kept).length === 0,
      ...(code === undefined ? {} : { code: textOf(code) }),
    }
  }

  const who = async (): Promise<string | undefined> => {
    const answer = await ask(calls.who)
    const found = answer.status < 400 ? session.read(answer, calls.who.read) : undefined
    return found === undefined || found === null || found === '' ? undefined : textOf(found)
  }

  const stateIn = async (kept: Values): Promise<AttemptState> => {
    const { state } = calls
    if (state === undefined) return (await who()) === undefined ? 'pending' : 'done'
    const answer = await ask(state, kept)
    const value = answer.status < 400 ? session.read(answer, state.read) : undefined
    if (value !== undefined && (state.done ?? ['done']).includes(textOf(value))) return 'done'
    // A request that no longer exists has ended; it is still pending if the RP asks to retry later.
    if (answer.status >= 400) return answer.status === 429 || answer.status >= 502 ? 'pending' : 'failed'
    return (state.failed ?? ['failed']).includes(textOf(value)) ? 'failed' : 'pending'
  }

  return {
    register: (user) => begin(calls.register, user),
    signIn: (user) => begin(calls.sign_in, user),
    push: (user) => begin(calls.push ?? calls.sign_in, user),
    state: async (begun) => (begun.ok ? stateIn(begun.kept) : 'failed'),
    revisit: async (begun) => {
      if (begun.ok) await stateIn(begun.kept).catch(ignoreBrokenRp)
    },
    leave: async () => undefined,
    who,
    signOut: async () => {
      if (calls.sign_out !== undefined) await ask(calls.sign_out)
    },
    passkeys: async () => {
      if (calls.passkeys === undefined) return undefined
      const answer = await ask(calls.passkeys)
      const found = answer.status < 400 ? session.read(answer, calls.passkeys.read) : undefined
      return Array.isArray(found) ? found.map(textOf) : undefined
    },
    remove: async (ids) => {
      const { remove } = calls
      if (remove === undefined) return undefined
      const answer = await ask(remove, { ids, id: ids[0] })
      if (answer.status >= 400) return undefined
      if (remove.read === undefined) return 'unsaid'
      const found = session.read(answer, remove.read)
      return found === undefined ? undefined : Array.isArray(found) ? found.length : Number(found)
    },
    hasMarkup: async () =>
      last !== undefined &&
      /html/.test(findHeader(last, 'content-type') ?? '') &&
      /<i data-handset-markup/.test(last.text),
    shown: async () =>
      last === undefined
        ? { text: '' }
        : { text: `HTTP ${last.status}: ${last.text.slice(0, 2 * MAX_TEXT)}`, address: last.address },
    kept: session.known,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
