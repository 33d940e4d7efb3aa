type MarkedProps = {
  readonly parts: { readonly same: string; readonly rest: string }
  readonly middle: string
  readonly look: 'wanted' | 'got'
}

export const Marked = ({ parts, middle, look }: MarkedProps) => (
  <>
    {parts.same}
    {middle === '' ? null : <mark data-look={look}>{middle}</mark>}
    {parts.rest}
  </>
)

/** The lengths of what two texts or byte strings have in common at their beginnings, and then at their ends. */
export const commonEnds = (a: string | Uint8Array, b: string | Uint8Array) => {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return { start, end }
}

export const differingParts = ({ expected, received }: { readonly expected: string; readonly received: string }) => {
  const { start, end } = commonEnds(expected, received)
  return {
    same: expected.slice(0, start),
    expected: expected.slice(start, expected.length - end),
    received: received.slice(start, received.length - end),
    /** The common end of both. */
    rest: end === 0 ? '' : expected.slice(-end),
  }
}

type Compared = { readonly expected: string | undefined; readonly received: string | undefined }

/** The position of the received text's first different byte, if the marked bytes contain that text unchanged. */
export const hotByte = (
  bytes: Uint8Array,
  range: { readonly start: number; readonly end: number },
  { expected, received }: Compared,
): number | undefined => {
  if (expected === undefined || received === undefined) return undefined
  const { same, received: differs } = differingParts({ expected, received })
  if (differs === '' || same.length < 4) return undefined
  const text = String.fromCharCode(...bytes.subarray(range.start, range.end))
  const at = text.indexOf(received)
  return at < 0 ? undefined : range.start + at + same.length
}
