import { type TraceLimits, type TraceProblem, tooLargeProblem } from '../../core/contract/trace.ts'
import { concatAll } from '../../core/protocol/bytes.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'

/** A line is an event; a bench keeps no body that is longer. */
const LONGEST_LINE = 64 * 1024 * 1024
/** Size of a decoded block in bytes. */
const BLOCK = 256 * 1024
const NEWLINE = 0x0a

/** Throws if they are not UTF-8. */
export const decodeLines = (block: Uint8Array): readonly string[] => {
  const lines = new TextDecoder('utf-8', { fatal: true }).decode(block).split('\n')
  lines.pop()
  return lines
}

export type TraceBytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** Hands over blocks of whole lines. `cut`: the last line is incomplete. */
export const unpackTrace = async (
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
