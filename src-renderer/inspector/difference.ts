export type Difference = {
  readonly same: string
  readonly expected: string
  readonly received: string
  /** What both end with. */
  readonly rest: string
}

/** Where two texts part: the shared beginning, what differs, and the shared end. */
export const differenceOf = ({
  expected,
  received,
}: {
  readonly expected: string
  readonly received: string
}): Difference => {
  const shorter = Math.min(expected.length, received.length)
  let start = 0
  while (start < shorter && expected[start] === received[start]) start++
  let end = 0
  while (end < shorter - start && expected.at(-1 - end) === received.at(-1 - end)) end++
  return {
    same: expected.slice(0, start),
    expected: expected.slice(start, expected.length - end),
    received: received.slice(start, received.length - end),
    rest: end === 0 ? '' : expected.slice(-end),
  }
}
