import { type Bytes, utf8 } from '../core/protocol/bytes.ts'
import type { Steps } from '../core/protocol/slices.ts'

/** Texts are put together until they are this long. */
const PIECE = 64 * 1024

/** The octets of what JSON.stringify writes, step by step: no step writes more than a piece or one row. */
export function* encodeJsonSteps(value: unknown, most: number = PIECE): Steps<Bytes> {
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
