import { joined } from '../../core/protocol/bytes.ts'

/** A line is an event; a bench keeps no body that is longer. */
const LONGEST_LINE = 64 * 1024 * 1024
/** Bytes decoded at a time. */
const BLOCK = 256 * 1024
const NEWLINE = 0x0a

export class LineTooLong extends Error {}

/** Cuts bytes into blocks of whole lines, from pieces of any size. Throws where a line has no end. */
export const createBlockCutter = () => {
  let pieces: Uint8Array[] = []
  let length = 0
  /** Where the last whole line ends. */
  let end = 0
  const takeBlock = (): Uint8Array => {
    const whole = joined(pieces)
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

/** The lines of a block. Throws where they are no UTF-8. */
export const linesOf = (block: Uint8Array): readonly string[] => {
  const lines = new TextDecoder('utf-8', { fatal: true }).decode(block).split('\n')
  lines.pop()
  return lines
}
