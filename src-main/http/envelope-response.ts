import { errors, type Refusal } from '../core/contract/errors.ts'
import type { Profile } from '../core/contract/profile.ts'
import { en } from '../core/messages/en/en.ts'
import { refusalText } from '../core/messages/refusal-text.ts'
import { type Bytes, utf8 } from '../core/protocol/bytes.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import type { Result } from '../core/protocol/result.ts'
import { runInSlices, type SlicedWork } from '../core/protocol/slices.ts'
import type { RawResponse } from './message.ts'

const JSON_HEADERS: readonly HeaderPair[] = [
  ['Content-Type', 'application/json; charset=utf-8'],
  ['Cache-Control', 'no-store'],
]

type Envelope<T = unknown> = { readonly code: number; readonly data: T; readonly error: string }

/** Includes the reason's code for clients that show another language than the sentence's. */
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
  body: JSON.stringify({ code: 0, data, error: '' } satisfies Envelope),
})

/** Does not block other requests during an answer of many megabytes. */
export const largeDataResponse = async (data: unknown): Promise<RawResponse> => ({
  status: 200,
  headers: JSON_HEADERS,
  body: await runInSlices(encodeJsonSteps({ code: 0, data, error: '' } satisfies Envelope)),
})

/** `status` replaces the error table's status if a profile sets one. */
export const refusalResponse = (refusal: Refusal, status: number = errors[refusal.name].status): RawResponse => ({
  status,
  headers: [...JSON_HEADERS, ...Object.entries(refusal.headers ?? {})],
  body: JSON.stringify(failure(refusal)),
})

export const resultResponse = (
  result: Result<unknown, Refusal>,
  profile: Pick<Profile, 'http_status'>,
): RawResponse => {
  if (result.ok) return dataResponse(result.value)
  const status = profile.http_status === 'always-200' ? 200 : errors[result.error.name].status
  return refusalResponse(result.error, status)
}

export const envelopeCode = (result: Result<unknown, Refusal>): number =>
  result.ok ? 0 : errors[result.error.name].code

const documentResponse = (type: string, body: string, ...headers: readonly HeaderPair[]): RawResponse => ({
  status: 200,
  headers: [['Content-Type', `${type}; charset=utf-8`], ...headers],
  body,
})

/** A page for a browser or a file, with an opaque origin, so that its content cannot act for this origin. */
export const pageResponse = (page: string): RawResponse =>
  documentResponse(
    'text/html',
    page,
    ['Cache-Control', 'no-store'],
    [
      'Content-Security-Policy',
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:",
    ],
    ['X-Content-Type-Options', 'nosniff'],
  )

export const markdownResponse = (markdown: string): RawResponse =>
  documentResponse('text/markdown', markdown, ['Cache-Control', 'no-store'], ['X-Content-Type-Options', 'nosniff'])

export const jsonDocument = (document: unknown): RawResponse =>
  documentResponse('application/json', JSON.stringify(document), ['Cache-Control', 'no-cache'])

/** Texts are joined up to this length. */
const PIECE = 64 * 1024

/** Encodes like JSON.stringify, in steps that each write at most a piece or one row. */
export function* encodeJsonSteps(value: unknown, most: number = PIECE): SlicedWork<Bytes> {
  const pieces: Bytes[] = []
  let size = 0
  let text = ''
  const end = (): number => {
    const piece = utf8(text)
    pieces.push(piece)
    size += piece.length
    text = ''
    return piece.length
  }
  for (const part of partsOf(value)) {
    text += part
    if (text.length >= most) yield end()
  }
  yield end()
  const out = new Uint8Array(size)
  let offset = 0
  for (const piece of pieces) {
    out.set(piece, offset)
    offset += piece.length
    yield piece.length / 10
  }
  return out
}

function* partsOf(value: unknown): Generator<string> {
  if (isFlat(value)) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    let before = '['
    for (const item of value) {
      yield before
      yield* partsOf(item)
      before = ','
    }
    yield ']'
  } else {
    let before = '{'
    for (const [name, member] of Object.entries(value as object)) {
      if (member === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* partsOf(member)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

/** A single value, or a row of such values. */
const isFlat = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  Object.values(value).every((member) => member === null || typeof member !== 'object')
