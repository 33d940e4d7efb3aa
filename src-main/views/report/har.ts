import type { BenchEvent, ExchangeFact } from '../../core/contract/events.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { type JsonObject as Json, withoutUndefined } from '../../core/protocol/json.ts'

type Exchange = BenchEvent & ExchangeFact
/** The exchanges as an HTTP Archive 1.2, which browsers and proxies open: http://www.softwareishard.com/blog/har-12-spec/ */
export const createHar = (events: readonly BenchEvent[], version: string, comment = ''): Json => ({
  log: {
    version: '1.2',
    creator: { name: 'Handset', version },
    ...(comment === '' ? {} : { comment }),
    entries: events.flatMap((event) => (event.kind === 'exchange' ? [entry(event)] : [])),
  },
})

const entry = ({ request, response, wall, took_us, interface: side, ...event }: Exchange): Json => {
  const took = took_us / 1000
  return {
    // `wall` is the end of the exchange, because an exchange is recorded when it is over.
    startedDateTime: new Date(Math.max(-8.64e15, wall - took)).toISOString(),
    time: took,
    request: {
      method: request.method,
      url: urlOf(request),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryOf(request.target),
      ...(request.body === ''
        ? {}
        : { postData: { mimeType: headerIn(request.headers, 'content-type'), text: request.body } }),
      headersSize: -1,
      bodySize: request.body_bytes,
    },
    response: {
      status: response.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: {
        size: bytesOf(response.body),
        mimeType: headerIn(response.headers, 'content-type'),
        text: response.body,
      },
      redirectURL: headerIn(response.headers, 'location'),
      headersSize: -1,
      bodySize: bytesOf(response.body),
    },
    cache: {},
    timings: { send: 0, wait: took, receive: 0 },
    // HAR requires an underscore before custom fields.
    _interface: side,
    _code: response.code,
    _seq: event.seq,
    ...withoutUndefined({ _msg_id: event.msg_id, _traceparent: event.traceparent }),
  }
}

const urlOf = ({ headers, target }: ExchangeFact['request']): string =>
  /^https?:/.test(target) ? target : `http://${headerIn(headers, 'host') || 'localhost'}${target}`

const queryOf = (target: string): readonly Json[] => {
  const at = target.indexOf('?')
  return at < 0 ? [] : [...new URLSearchParams(target.slice(at + 1))].map(([name, value]) => ({ name, value }))
}

const pairs = (headers: readonly HeaderPair[]): readonly Json[] => headers.map(([name, value]) => ({ name, value }))

const headerIn = (headers: readonly HeaderPair[], wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
