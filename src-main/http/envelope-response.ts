import type { Envelope } from '../core/contract/envelope.ts'
import { errors, type Refusal } from '../core/contract/errors.ts'
import { en } from '../core/messages/en/en.ts'
import { refusalText } from '../core/messages/refusal-text.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { inSlices } from '../core/protocol/slices.ts'
import { encodeJsonSteps } from './encode-json-steps.ts'
import type { RawResponse } from './message.ts'

const JSON_HEADERS: readonly HeaderPair[] = [
  ['Content-Type', 'application/json; charset=utf-8'],
  ['Cache-Control', 'no-store'],
]

const success = <T>(data: T): Envelope<T> => ({ code: 0, data, error: '' })

/** The reason is included for clients in another language than the sentence. */
const failure = (refusal: Refusal): Envelope<Readonly<Record<string, unknown>>> => {
  const { name, word, reason, data } = refusal
  return {
    code: errors[name].code,
    data: { ...data, ...(word === undefined ? {} : { word }), ...(reason === undefined ? {} : { reason }) },
    error: refusalText(en, refusal),
  }
}

export const dataResponse = (data: unknown): RawResponse => ({
  status: 200,
  headers: JSON_HEADERS,
  body: JSON.stringify(success(data)),
})

/** The same for an answer of many megabytes, while others are heard. */
export const largeDataResponse = async (data: unknown): Promise<RawResponse> => ({
  status: 200,
  headers: JSON_HEADERS,
  body: await inSlices(encodeJsonSteps(success(data))),
})

/** `status` stands in for the table's own where a profile wants it so. */
export const refusalResponse = (refusal: Refusal, status: number = errors[refusal.name].status): RawResponse => ({
  status,
  headers: [...JSON_HEADERS, ...Object.entries(refusal.headers ?? {})],
  body: JSON.stringify(failure(refusal)),
})

/** A page for a browser or a file. Its origin is opaque: its content may not act for this origin. Its own policy names its one script. */
export const pageResponse = (page: string): RawResponse => ({
  status: 200,
  headers: [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    [
      'Content-Security-Policy',
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:",
    ],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  body: page,
})

/** Words for a person or a program. */
export const markdownResponse = (markdown: string): RawResponse => ({
  status: 200,
  headers: [
    ['Content-Type', 'text/markdown; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  body: markdown,
})

/** A document that is no envelope, such as an OpenAPI description. */
export const jsonDocument = (document: unknown): RawResponse => ({
  status: 200,
  headers: [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Cache-Control', 'no-cache'],
  ],
  body: JSON.stringify(document),
})
