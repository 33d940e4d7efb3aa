import type { RpClientProblem, SignedPart } from '../core/contract/rp-client-problems.ts'

const FIXED = ['method', 'path', 'query'] as const

/** Where the canonical request that was signed differs from the one the service computed. */
export const explainMismatch = (signed: string, computed: string): RpClientProblem => {
  if (signed === computed) return { code: 'signed_alike' }
  const [ours, theirs] = [signed.split('\n'), computed.split('\n')]
  const line = ours.findIndex((text, i) => text !== theirs[i])
  const at = line < 0 ? ours.length : line
  const part = partAt(at, ours)
  const [own, other] = [ours[at], theirs[at]]
  return {
    code: 'signed_otherwise',
    params: {
      part,
      ...(part === 'header' ? { header: (own ?? '').split(':')[0] ?? '' } : {}),
      ...(own === undefined ? {} : { signed: own }),
      ...(other === undefined ? {} : { computed: other }),
    },
  }
}

/** Three fixed lines, one per signed header, a blank one, the names, the payload's hash. */
const partAt = (line: number, lines: readonly string[]): SignedPart => {
  const fixed = FIXED[line]
  if (fixed !== undefined) return fixed
  if (line >= lines.length - 1) return 'body_hash'
  return line === lines.length - 2 ? 'signed_headers' : 'header'
}
