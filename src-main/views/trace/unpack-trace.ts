import { type TraceLimits, type TraceProblem, tooLargeProblem } from '../../core/contract/trace.ts'
import { concatAll } from '../../core/protocol/bytes.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'

/** A line is an event; a bench keeps no body that is longer. */
const LONGEST_LINE = 64 * 1024 * 1024
/** Size of a decoded block in bytes. */
const BLOCK = 256 * 1024
const NEWLINE = 0x0a

export class LineTooLong extends Error {}

/** Cuts pieces of any size into blocks of whole lines. Throws if a line is too long. */
export const createBlockCutter = () => {
  let pieces: Uint8Array[] = []
  let length = 0
  let end = 0
  const takeBlock = (): Uint8Array => {
    const whole = concatAll(pieces)
    const rest = whole.slice(end)
    const block = whole.subarray(0, end)
    pieces = [rest]
    length = rest.length
    end = 0
    return block
  }
  return {
    cut: (bytes: Uint8Array): Uint8Array | undefined => {
      const newline = bytes.lastIndexOf(NEWLINE)
      if (newline >= 0) end = length + newline + 1
      pieces.push(bytes)
      length += bytes.length
      if (length - end > LONGEST_LINE) throw new LineTooLong()
      return end < BLOCK ? undefined : takeBlock()
    },
    /** The last lines, and whether an unfinished line follows. */
    finish: (): { readonly block: Uint8Array; readonly cut: boolean } => {
      const block = takeBlock()
      return { block, cut: length > 0 }
    },
  }
}

/** Throws if they are not UTF-8. */
export const decodeLines = (block: Uint8Array): readonly string[] => {
  const lines = new TextDecoder('utf-8', { fatal: true }).decode(block).split('\n')
  lines.pop()
  return lines
}

export type TraceBytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** `cut`: the last line is incomplete. */
export const unpackTrace = async (
  file: TraceBytes,
  limits: TraceLimits,
  take: (block: Uint8Array) => TraceProblem | undefined,
): Promise<Result<{ readonly cut: boolean }, TraceProblem | 'broken'>> => {
  const cutter = createBlockCutter()
  const takeBlock = (block: Uint8Array | undefined) => (block === undefined ? undefined : take(block))
  let size = 0
  try {
    const unpacked = (await unpack(file)).getReader()
    for (;;) {
      const piece = await unpacked.read().catch(() => undefined)
      if (piece === undefined || piece.done) {
        const { block, cut } = cutter.finish()
        const problem = take(block) ?? (piece === undefined ? 'broken' : undefined)
        return problem === undefined ? ok({ cut }) : err(problem)
      }
      size += piece.value.length
      const problem = size > limits.bytes ? tooLargeProblem(limits) : takeBlock(cutter.cut(piece.value))
      if (problem === undefined) continue
      void unpacked.cancel().catch(() => undefined)
      return err(problem)
    }
  } catch (error) {
    return err(error instanceof LineTooLong ? tooLargeProblem(limits) : 'broken')
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
