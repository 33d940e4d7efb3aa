import type { ExchangeFact } from '../../core/contract/events.ts'
import { type HeaderPair, pathAndQuery } from '../../core/protocol/canonical-request.ts'
import { isObject } from '../../core/protocol/json.ts'
import type { Millis } from '../../core/protocol/time.ts'
import { parseForeignJson } from '../../http/parse-json.ts'
import { endToEndHeaders } from '../../http/upstream.ts'

export type RecordedExchange = Pick<ExchangeFact, 'request' | 'response'> & { readonly wall: Millis }

type Wanted = { readonly method: string; readonly path: string; readonly query: string; readonly body: string }

export type RecordedAnswers = ReturnType<typeof recordedAnswers>

/**
 * Two calls are the same if they have the same method, path, query and user: names and times in a body may differ. An
 * answer recorded for one user is never returned for another.
 */
export const recordedAnswers = (exchanges: readonly RecordedExchange[]) => {
  const byCall = Map.groupBy(exchanges, ({ request: { method, target, body } }) => {
    const { path, query } = pathAndQuery(target)
    return callOf({ method, path: pathOf(path), query, body })
  })
  return {
    /** The next answer to the same call; repeats the last one when all are used. */
    next: (wanted: Wanted, now: Millis) => {
      const left = byCall.get(callOf(wanted))
      const found = (left?.length ?? 0) > 1 ? left?.shift() : left?.[0]
      if (found === undefined) return undefined
      const { status, headers, body } = found.response
      return { status, headers: endToEndHeaders(headers).filter(isLasting), body: movedExpiry(body, now - found.wall) }
    },
  }
}

/** The part before `/rp/` only says where it was recorded. */
const pathOf = (path: string): string => path.slice(Math.max(0, path.lastIndexOf('/rp/')))

const callOf = ({ method, path, query, body }: Wanted): string => {
  const said = parseForeignJson(body)
  const user = isObject(said) ? said.user_id : undefined
  return JSON.stringify([method, path, query.split('&').toSorted(), user ?? ''])
}

const isLasting = ([name]: HeaderPair): boolean =>
  !['date', 'content-length', 'content-encoding'].includes(name.toLowerCase())

/** Moves the expiry, so that a message is valid as long as when recorded. */
const movedExpiry = (body: string, ms: Millis): string => {
  const envelope = body.includes('"expires_at"') ? parseForeignJson(body) : undefined
  if (!isObject(envelope) || !isObject(envelope.data) || typeof envelope.data.expires_at !== 'number') return body
  const expires_at = envelope.data.expires_at + Math.round(ms / 1000)
  return JSON.stringify({ ...envelope, data: { ...envelope.data, expires_at } })
}
