import { type TraceLimits, type TraceProblem, tooLarge } from '../../core/contract/trace.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { createBlockCutter, LineTooLong } from './block-cutter.ts'

export type TraceBytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** Passes on a file in blocks of whole lines; `cut`: the last line is not complete. Never unpacks beyond the limit. */
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
      const problem = size > limits.bytes ? tooLarge(limits) : takeBlock(cutter.cut(piece.value))
      if (problem === undefined) continue
      void unpacked.cancel().catch(() => undefined)
      return err(problem)
    }
  } catch (error) {
    return err(error instanceof LineTooLong ? tooLarge(limits) : 'broken')
  }
}

const GZIP = 0x1f

/** A file is packed, or lines as they were written while the bench ran. */
const unpack = async (file: TraceBytes): Promise<TraceBytes> => {
  const [ahead, whole] = file.tee()
  const reader = ahead.getReader()
  const first = await reader.read()
  void reader.cancel().catch(() => undefined)
  return first.value?.[0] === GZIP ? whole.pipeThrough(new DecompressionStream('gzip')) : whole
}
