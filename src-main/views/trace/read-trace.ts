import type { BenchEvent } from '../../core/contract/events.ts'
import {
  TRACE_LIMITS,
  type TracedSignature,
  type TraceHeader,
  type TraceLimits,
  type TraceProblem,
  tooLargeProblem,
} from '../../core/contract/trace.ts'
import { err, type OkOf, ok, orNothing, type Result } from '../../core/protocol/result.ts'
import { readHeader, readLine } from './read-line.ts'
import { decodeLines, type TraceBytes, unpackTrace } from './unpack-trace.ts'

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

/** `keep`: how many of the last events stay readable, in addition to those of the first block. */
type Kept = { readonly keep?: number }

type Block = { readonly bytes: Uint8Array /** Number of the first line, from 1. */; readonly line: number }

/** Maximum number of lines other than events. */
const OTHER_LINES = 10_000

/** Parses only the header: other lines stay bytes until they are needed. Finding lines costs a hundredth of parsing. */
export const indexTrace = async (
  file: TraceBytes,
  { keep = Number.POSITIVE_INFINITY, ...limits }: Partial<TraceLimits> & Kept = {},
) => {
  const blocks: Block[] = []
  const all = { ...TRACE_LIMITS, ...limits }
  let line = 1
  // Block 0 has the header, so it is kept.
  let forgotten = 1
  const unpacked = await unpackTrace(file, all, (bytes) => {
    blocks.push({ bytes, line })
    line += countLines(bytes)
    for (; line - (blocks[forgotten + 1]?.line ?? line) > keep + OTHER_LINES; forgotten++) {
      blocks[forgotten] = { bytes: new Uint8Array(), line }
    }
    return line > all.events + OTHER_LINES ? tooLargeProblem(all) : undefined
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

const NEWLINE = 0x0a

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
  const indexed = await indexTrace(file, { keep: last })
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
