import { type Bytes, fromUtf8 } from '../../core/protocol/bytes.ts'
import { decodeText } from './decodings.ts'
import {
  type GivenInputs,
  type InspectContext,
  type Inspection,
  inspectionOf,
  MAX_INSPECTED_BYTES,
  type Recognised,
} from './inspection.ts'
import { inspectBytes } from './recognise-bytes.ts'
import { inspectText } from './recognise-text.ts'

export type InspectPorts = Pick<InspectContext, 'crypto' | 'signing' | 'now' | 'pause'>

const DEEPEST = 4
/** Longest text that is decoded as bytes; only files are longer than this. */
const LONGEST_WRITING = 128 * 1024

/** Never throws. */
export const inspect = async (input: Bytes, given: GivenInputs, ports: InspectPorts): Promise<Inspection> => {
  const bench: InspectContext = { ...ports, given, inspect: (inner, written) => look(inner, written, bench) }
  const text = textIn(input)
  if (input.length === 0 || text?.trim() === '') return inspectionOf({ kind: 'empty' }, [])
  const found =
    (text === undefined ? undefined : await look(text, ['text'], bench)) ?? (await look(input, ['bytes'], bench))
  if (found !== undefined) return found
  const kind = text === undefined ? 'bytes' : 'text'
  const { length: count } = text ?? input
  const length = { code: text === undefined ? 'bytes' : 'characters', params: { count } } as const
  return inspectionOf({ kind, facts: [['length', length]] }, [kind])
}

const look = async (input: Bytes | string, written: readonly string[], bench: InspectContext) => {
  if (written.length > DEEPEST || input.length > MAX_INSPECTED_BYTES) return undefined
  if (typeof input === 'string') return lookAtText(input.replace(/^\ufeff/, '').trim(), written, bench)
  const found = await inspectBytes(input, bench)
  if (found !== undefined) return inspectionOf(found, written)
  const text = textIn(input)
  return text === undefined ? undefined : lookAtText(text.trim(), written, bench)
}

const lookAtText = async (
  text: string,
  written: readonly string[],
  bench: InspectContext,
): Promise<Inspection | undefined> => {
  const found: Recognised | undefined = await inspectText(text, bench)
  if (found !== undefined) return inspectionOf(found, written)
  let vague: Inspection | undefined
  if (text.length > LONGEST_WRITING) return undefined
  for (const [name, bytes] of decodeText(text)) {
    const inner = await look(bytes, [...written, name], bench)
    // A vague kind fits almost anything and is used only if no other one is found.
    if (inner !== undefined && !VAGUE.has(inner.kind)) return inner
    vague ??= inner
  }
  return vague
}

const VAGUE: ReadonlySet<string> = new Set(['bytes', 'cbor', 'digest', 'raw-signature', 'aaguid', 'der', 'text'])

/** Decodes UTF-8; undefined for control characters that do not occur in text. */
const textIn = (bytes: Bytes): string | undefined => {
  const text = fromUtf8(bytes)
  return text === undefined || CONTROLS.test(text) ? undefined : text
}

const CONTROLS = /[\p{Cc}--[\t\n\r\x7f-\x9f]]/v
