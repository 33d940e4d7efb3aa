import { type BenchEvent, EVENT_KINDS, eventSchemas } from '../../core/contract/events.ts'
import { makeSchemaCheck, type SchemaCheck } from '../../core/contract/make-check.ts'
import {
  TRACE_FORMAT,
  TRACE_LIMITS,
  TRACE_VERSION,
  type TracedSignature,
  type TraceHeader,
  type TraceLimits,
  type TraceProblem,
  tooLargeProblem,
  tracedSignature,
  traceHeader,
} from '../../core/contract/trace.ts'
import { concatAll } from '../../core/protocol/bytes.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import { err, type OkOf, ok, orNothing, type Result } from '../../core/protocol/result.ts'

export type TraceHandlers = {
  readonly header?: (header: TraceHeader) => void
  /** Called with the very first event if it is not among the events passed on. */
  readonly began?: (event: BenchEvent) => void
  readonly event: (event: BenchEvent) => void
  /** Called after the event that the signature explains. */
  readonly signature?: (signature: TracedSignature) => void
}

export type ScannedTrace = { readonly header: TraceHeader; readonly signatures: readonly TracedSignature[] }

/**
 * Opens a trace of any version. Never unpacks more than the limit, even if the file claims less. Keeps no events,
 * because a hundred thousand of them are millions of objects.
 */
export const scanTrace = async (
  file: TraceBytes,
  reader: TraceHandlers,
  limits = TRACE_LIMITS,
): Promise<Result<ScannedTrace, TraceProblem>> => {
  let header: TraceHeader | undefined
  const signatures: TracedSignature[] = []
  let line = 0
  let events = 0
  const takeLine = (text: string): TraceProblem | undefined => {
    line += 1
    if (header === undefined) {
      const first = readHeader(text)
      if (!first.ok) return first.error
      header = first.value
      reader.header?.(header)
      return undefined
    }
    const read = readLine(text, { line, events })
    if (!read.ok) return read.error
    const { event, signature } = read.value
    if (signature !== undefined) {
      signatures.push(signature)
      reader.signature?.(signature)
    }
    if (event === undefined) return undefined
    events += 1
    if (events > limits.events) return tooLargeProblem(limits)
    reader.event(event)
    return undefined
  }
  const unpacked = await unpackTrace(file, limits, (block) => {
    for (const text of decodeLines(block)) {
      const problem = takeLine(text)
      if (problem !== undefined) return problem
    }
    return undefined
  })
  // A callback has set `header`, which the compiler does not see.
  const known = header as TraceHeader | undefined
  const broken = (): TraceProblem => (known === undefined ? { code: 'no_trace' } : { code: 'damaged', events })
  if (!unpacked.ok) return err(unpacked.error === 'broken' ? broken() : unpacked.error)
  // A process that writes while the bench runs may be killed in the middle of a line.
  if (known === undefined || (unpacked.value.cut && known.live !== true)) return err(broken())
  return ok({ header: known, signatures })
}

export type IndexedTrace = OkOf<Awaited<ReturnType<typeof indexTrace>>>

type TraceBlock = { readonly events: readonly BenchEvent[]; readonly signatures: readonly TracedSignature[] }

type Block = { readonly bytes: Uint8Array /** Number of the first line, from 1. */; readonly line: number }

/** Maximum number of lines other than events. */
const OTHER_LINES = 10_000

/**
 * Parses only the header: other lines stay bytes until they are needed. Finding lines costs a hundredth of parsing.
 * `keep`: how many of the last events stay readable, in addition to those of the first block.
 */
export const indexTrace = async (file: TraceBytes, keep = Number.POSITIVE_INFINITY) => {
  const blocks: Block[] = []
  let line = 1
  // Block 0 has the header, so it is kept.
  let forgotten = 1
  const unpacked = await unpackTrace(file, TRACE_LIMITS, (bytes) => {
    blocks.push({ bytes, line })
    line += countLines(bytes)
    for (; line - (blocks[forgotten + 1]?.line ?? line) > keep + OTHER_LINES; forgotten++) {
      blocks[forgotten] = { bytes: new Uint8Array(), line }
    }
    return line > TRACE_LIMITS.events + OTHER_LINES ? tooLargeProblem(TRACE_LIMITS) : undefined
  })
  const header = headerOf(blocks[0]?.bytes ?? new Uint8Array())
  if (!header.ok) return header
  const broken: TraceProblem = { code: 'damaged', events: Math.max(0, line - 2) }
  if (!unpacked.ok) return err(unpacked.error === 'broken' ? broken : unpacked.error)
  // A process that writes while the bench runs may be killed in the middle of a line.
  if (unpacked.value.cut && header.value.live !== true) return err(broken)
  const read = (number: number): Result<TraceBlock, TraceProblem> => {
    const block = blocks[number]
    return block === undefined ? ok({ events: [], signatures: [] }) : readBlock(block)
  }
  return ok({ header: header.value, blocks: blocks.length, read })
}

const countLines = (bytes: Uint8Array): number => {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

const headerOf = (bytes: Uint8Array): Result<TraceHeader, TraceProblem> => {
  const [line = ''] = orNothing(() => decodeLines(bytes.subarray(0, bytes.indexOf(NEWLINE) + 1))) ?? []
  return readHeader(line)
}

const readBlock = ({ bytes, line }: Block): Result<TraceBlock, TraceProblem> => {
  const events: BenchEvent[] = []
  const signatures: TracedSignature[] = []
  const lines = orNothing(() => decodeLines(bytes))
  if (lines === undefined) return err({ code: 'damaged', events: Math.max(0, line - 2) })
  for (const [index, text] of lines.entries()) {
    const number = line + index
    if (number === 1) continue
    const read = readLine(text, { line: number, events: number - 2 })
    if (!read.ok) return read
    if (read.value.event !== undefined) events.push(read.value.event)
    if (read.value.signature !== undefined) signatures.push(read.value.signature)
  }
  return ok({ events, signatures })
}

/** Earlier events are unpacked, but neither parsed nor checked. */
export const scanLastEvents = async (
  file: TraceBytes,
  { reader, last }: { readonly reader: TraceHandlers; readonly last: number },
): Promise<Result<ScannedTrace, TraceProblem>> => {
  const indexed = await indexTrace(file, last)
  if (!indexed.ok) return indexed
  const { header, blocks, read } = indexed.value
  reader.header?.(header)
  const found: TraceBlock[] = []
  for (let number = blocks - 1, count = 0; number >= 0 && count < last; number--) {
    const block = read(number)
    if (!block.ok) return block
    found.unshift(block.value)
    count += block.value.events.length
  }
  const first = read(0)
  const began = first.ok ? first.value.events[0] : undefined
  if (began !== undefined) reader.began?.(began)
  const events = found.flatMap((block) => block.events).slice(-last)
  for (const event of events) reader.event(event)
  const shown = new Set(events.map(({ seq }) => seq))
  const signatures = found.flatMap((block) => block.signatures.filter(({ seq }) => shown.has(seq)))
  for (const signature of signatures) reader.signature?.(signature)
  return ok({ header, signatures })
}

const checkHeader = makeSchemaCheck(traceHeader)
const checkSignature = makeSchemaCheck(tracedSignature)
const checkByKind = new Map<string, SchemaCheck>(
  EVENT_KINDS.map((kind, i) => [kind, makeSchemaCheck(eventSchemas[i] ?? {})]),
)

const readHeader = (text: string): Result<TraceHeader, TraceProblem> => {
  const value = parseJsonOrNothing(text)
  if (!isObject(value) || value.format !== TRACE_FORMAT) return err({ code: 'no_trace' })
  // A later version may have another header.
  if (typeof value.version === 'number' && value.version > TRACE_VERSION) {
    return err({ code: 'newer', version: value.version })
  }
  return fitting(value as TraceHeader, checkHeader(value), 1)
}

type TraceLine = { readonly event?: BenchEvent; readonly signature?: TracedSignature }

/** Parses any other line; `line` is its number, from 1, and `events` the number of events before it. */
const readLine = (
  text: string,
  { line, events }: { readonly line: number; readonly events: number },
): Result<TraceLine, TraceProblem> => {
  const value = parseJsonOrNothing(text)
  if (value === undefined) return err({ code: 'damaged', events })
  if (!isObject(value)) return err({ code: 'unfit', line, field: '' })
  const { event, signature } = value
  if (event === undefined) {
    if (signature === undefined) return ok({})
    return fitting({ signature: signature as TracedSignature }, checkSignature(signature), line)
  }
  if (!isObject(event)) return err({ code: 'unfit', line, field: 'event' })
  if (typeof event.kind !== 'string') return err({ code: 'unfit', line, field: 'kind' })
  const check = checkByKind.get(event.kind)
  // Additions of a later Handset of the same version are skipped.
  if (check === undefined) return ok({})
  return fitting({ event: event as unknown as BenchEvent }, check(event), line)
}

/** `field`: the first that does not fit its schema. */
const fitting = <T>(value: T, field: string | undefined, line: number): Result<T, TraceProblem> =>
  field === undefined ? ok(value) : err({ code: 'unfit', line, field })

/** A line is an event; a bench keeps no body that is longer. */
const LONGEST_LINE = 64 * 1024 * 1024
/** Size of a decoded block in bytes. */
const BLOCK = 256 * 1024
const NEWLINE = 0x0a

/** Throws if they are not UTF-8. */
const decodeLines = (block: Uint8Array): readonly string[] => {
  const lines = new TextDecoder('utf-8', { fatal: true }).decode(block).split('\n')
  lines.pop()
  return lines
}

export type TraceBytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** Hands over blocks of whole lines. `cut`: the last line is incomplete. */
const unpackTrace = async (
  file: TraceBytes,
  limits: TraceLimits,
  take: (block: Uint8Array) => TraceProblem | undefined,
): Promise<Result<{ readonly cut: boolean }, TraceProblem | 'broken'>> => {
  let pieces: Uint8Array[] = []
  let length = 0
  /** The end of the last whole line. */
  let end = 0
  const takeBlock = (): TraceProblem | undefined => {
    const whole = concatAll(pieces)
    const [block, rest] = [whole.subarray(0, end), whole.slice(end)]
    pieces = [rest]
    length = rest.length
    end = 0
    return take(block)
  }
  let size = 0
  try {
    const unpacked = (await unpack(file)).getReader()
    for (;;) {
      const piece = await unpacked.read().catch(() => undefined)
      if (piece === undefined || piece.done) {
        const problem = takeBlock() ?? (piece === undefined ? 'broken' : undefined)
        return problem === undefined ? ok({ cut: length > 0 }) : err(problem)
      }
      const { value } = piece
      const newline = value.lastIndexOf(NEWLINE)
      if (newline >= 0) end = length + newline + 1
      pieces.push(value)
      length += value.length
      size += value.length
      const tooLarge = size > limits.bytes || length - end > LONGEST_LINE
      const problem = tooLarge ? tooLargeProblem(limits) : end < BLOCK ? undefined : takeBlock()
      if (problem === undefined) continue
      void unpacked.cancel().catch(() => undefined)
      return err(problem)
    }
  } catch {
    return err('broken')
  }
}

const GZIP = 0x1f

/** A live trace is not packed, but consists of plain lines. */
const unpack = async (file: TraceBytes): Promise<TraceBytes> => {
  const [ahead, whole] = file.tee()
  const reader = ahead.getReader()
  const first = await reader.read()
  void reader.cancel().catch(() => undefined)
  return first.value?.[0] === GZIP ? whole.pipeThrough(new DecompressionStream('gzip')) : whole
}
