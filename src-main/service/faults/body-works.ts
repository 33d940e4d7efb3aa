import { gzipSync } from 'node:zlib'
import { refuse } from '../../core/contract/errors.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import { refusalResponse } from '../../http/envelope-response.ts'
import { SOMEBODY, success } from './fact-works.ts'
import { octetsOf, sendPieces } from './octets.ts'
import type { About, Works } from './works.ts'

const envelope = (change: (envelope: JsonObject, about: About) => unknown): Works => ({ envelope: change })
const lie = (about: About): JsonObject => success(about, SOMEBODY)
const without = (name: string) =>
  envelope((whole) => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name)))

const text = (change: (text: string) => string | Uint8Array): Works => ({ text: change })

const page = (title: string): string =>
  `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`

const withHeader =
  (name: string, value: string) =>
  (headers: readonly HeaderPair[]): readonly HeaderPair[] => [
    ...headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase()),
    [name, value],
  ]
const header = (name: string, value: (about: About) => string): Works => ({
  head: ({ status, headers }, about) => ({ status, headers: withHeader(name, value(about))(headers) }),
})
const withStatus = (status: number, more: Works = {}): Works => ({
  ...more,
  head: (head, about) => ({ ...(more.head?.(head, about) ?? head), status }),
})
const html = (title: string): Works => ({ ...header('Content-Type', () => 'text/html'), text: () => page(title) })
const retryAfter = (value: (about: About) => string): Works =>
  withStatus(429, {
    ...header('Retry-After', value),
    text: () => String(refusalResponse(refuse('too_many_requests')).body),
  })

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le')

const PIECE = Buffer.alloc(64 * 1024, ' ')
/** White space, which JSON allows at its end: only a complete body can be parsed. */
function* padded(octets: string, bytes: number): Generator<Uint8Array> {
  yield Buffer.from(octets, 'latin1')
  for (let left = bytes; left > 0; left -= PIECE.length) yield PIECE.subarray(0, Math.min(left, PIECE.length))
}

/** Faults of the envelope, of its octets, and of what HTTP says of them. */
export const bodyWorks = {
  'error-code-with-success': envelope((_, about) => ({ code: 50001, data: lie(about), error: '' })),
  'http-error-with-success': withStatus(
    500,
    envelope((whole, about) => ({ ...whole, data: lie(about) })),
  ),
  'code-missing': envelope((_, about) => ({ data: lie(about), error: '' })),
  'code-null': envelope((_, about) => ({ code: null, data: lie(about), error: '' })),
  'code-false': envelope((_, about) => ({ code: false, data: lie(about), error: '' })),
  'data-empty': envelope((whole) => ({ ...whole, data: {} })),
  'data-list': envelope((whole) => ({ ...whole, data: [whole.data] })),
  'data-as-text': envelope((whole) => ({ ...whole, data: JSON.stringify(whole.data) })),
  'data-null': envelope((whole) => ({ ...whole, data: null })),
  'data-missing': without('data'),
  'envelope-missing': envelope((whole) => whole.data),
  'envelope-in-list': envelope((whole) => [whole]),
  'list-refused': withStatus(
    500,
    envelope(() => ({ code: 50001, data: {}, error: 'internal error' })),
  ),

  'members-twice': {
    envelope: (whole, about) => ({
      ...whole,
      data: { ...(isObject(whole.data) ? whole.data : {}), AGAIN: lie(about) },
    }),
    text: (whole) => whole.replace(/"AGAIN":\{(.*?)\}/, (_, twice: string) => twice),
  },
  'html-page': html('Maintenance'),
  'gateway-page': withStatus(502, html('502 Bad Gateway')),
  'gateway-page-for-good': withStatus(502, html('502 Bad Gateway')),
  'body-cut-off': text((whole) => whole.slice(0, Math.ceil(whole.length / 2))),
  'body-empty': text(() => ''),
  'body-null': text(() => 'null'),
  'body-with-byte-order-mark': text((whole) => `\ufeff${whole}`),
  'body-in-utf-16': text(utf16),
  'body-with-trailing-text': text((whole) => `${whole}\n<!-- served by node 7 -->`),
  'body-with-not-a-number': text((whole) => whole.replace('{', '{"load":NaN,')),
  'body-gigantic': {
    wire: (response, about) => ({
      ...response,
      raw: sendPieces(response, padded(octetsOf(response), Number(about.parameters.bytes)), {
        wall: about.wall,
        length: octetsOf(response).length + Number(about.parameters.bytes),
        pause_ms: 10,
      }),
    }),
  },

  'no-content': withStatus(
    204,
    text(() => ''),
  ),
  redirect: withStatus(302, { ...header('Location', ({ parameters }) => String(parameters.location)), text: () => '' }),
  'redirect-for-good': withStatus(308, {
    ...header('Location', ({ parameters }) => String(parameters.location)),
    text: () => '',
  }),
  'not-modified': withStatus(
    304,
    text(() => ''),
  ),
  'content-type-missing': {
    head: ({ status, headers }) => ({ status, headers: headers.filter(([name]) => name !== 'Content-Type') }),
  },
  'content-type-wrong': header('Content-Type', () => 'text/plain'),
  'content-type-in-capitals': header('Content-Type', () => 'Application/JSON;Charset="UTF-8"'),
  'gzip-unasked': { ...header('Content-Encoding', () => 'gzip'), text: (whole) => gzipSync(whole) },
  'encoding-unknown': { ...header('Content-Encoding', () => 'x-snappy'), text: (whole) => gzipSync(whole) },
  'clock-off': header('Date', ({ wall, parameters }) =>
    new Date(wall.now() + Number(parameters.seconds) * 1000).toUTCString(),
  ),
  'retry-after-a-day': retryAfter(({ parameters }) => String(parameters.seconds)),
  'retry-after-date': retryAfter(({ wall }) => new Date(wall.now() + 1000).toUTCString()),
  'retry-after-words': retryAfter(() => 'soon'),
  'answer-cacheable': header('Cache-Control', () => 'public, max-age=86400'),
} as const satisfies Readonly<Record<string, Works>>
