import { readBounded } from '../../core/protocol/read-bounded.ts'
import { createTrustingFetch } from '../../sdk/fetch-trusting.ts'
import { createSession, type HttpSession, type ReceivedAnswer, type SentRequest } from '../calls/session.ts'
import { findCrashCause } from './crash-cause.ts'
import { RpBroken } from './rp-driver.ts'

export const DEFAULT_ANSWER_S = 5
/** Maximum number of characters of an RP's text in a finding. */
export const MAX_TEXT = 300
const MAX_BYTES = 8 * 1024 * 1024

export type SessionOptions = {
  readonly url: string
  readonly ca?: string | undefined
  readonly answer_s?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onText: (text: string, where: string) => void
}

/** A browser’s calls to the RP. An answer that is never allowed throws RpBroken. */
export const openSession = ({ url, ca, answer_s = DEFAULT_ANSWER_S, signal, onText }: SessionOptions): HttpSession => {
  const trusting = ca === undefined ? fetch : createTrustingFetch(ca)

  const send = async (to: URL, request: SentRequest): Promise<ReceivedAnswer> => {
    const where = `${request.method} ${to.pathname}`
    const limit = AbortSignal.timeout(answer_s * 1000)
    const response = await trusting(to, {
      ...request,
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    }).catch((error: unknown) => broken(where, error, signal))
    const bytes = await readBounded(response.body, MAX_BYTES).catch((error: unknown) => broken(where, error, signal))
    if (bytes === undefined) throw new RpBroken({ code: 'answered_too_much', params: { where, bytes: MAX_BYTES } })
    const text = new TextDecoder().decode(bytes)
    const headers = [...response.headers]
    onText(`${text}\n${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}`, where)
    if (response.status === 500) {
      const cause = findCrashCause(text)
      const more = cause === undefined ? {} : { cause }
      throw new RpBroken({ code: 'crashed', params: { where, text: text.slice(0, MAX_TEXT), ...more } })
    }
    return { status: response.status, headers, text }
  }

  const noJson = ({ where, text }: { readonly where: string; readonly text: string }): never => {
    throw new RpBroken({ code: 'answered_no_json', params: { where, text: text.slice(0, MAX_TEXT) } })
  }

  return createSession({ url, send, noJson })
}

const broken = (where: string, error: unknown, signal: AbortSignal | undefined): never => {
  signal?.throwIfAborted()
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const late = error instanceof Error && error.name === 'TimeoutError'
  throw new RpBroken(
    late
      ? { code: 'answered_late', params: { where } }
      : { code: 'call_failed', params: { where, error: String(cause) } },
  )
}
