import type { Splice } from '../../src-main/core/contract/resending.ts'
import { toHex } from '../../src-main/core/protocol/bytes.ts'

/** How one byte string becomes another: octet by octet where both are of one length, else what lies between their ends. */
export const splicesOf = (before: Uint8Array, after: Uint8Array): readonly Splice[] =>
  before.length === after.length ? runs(before, after) : between(before, after)

const runs = (before: Uint8Array, after: Uint8Array): readonly Splice[] => {
  const splices: Splice[] = []
  let from: number | undefined
  for (let at = 0; at <= before.length; at++) {
    const differs = at < before.length && before[at] !== after[at]
    if (differs) from ??= at
    else if (from !== undefined) {
      splices.push({ at: from, take: at - from, put: toHex(after.subarray(from, at)) })
      from = undefined
    }
  }
  return splices
}

const between = (before: Uint8Array, after: Uint8Array): readonly Splice[] => {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const put = toHex(after.subarray(start, after.length - end))
  return [{ at: start, take: before.length - end - start, put }]
}
