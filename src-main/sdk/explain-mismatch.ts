const COMPONENTS = ['method', 'path', 'query'] as const

/**
 * Where the canonical request that was signed differs from the one the service computed, as one sentence; undefined
 * when they are the same, so that the secret or the scope must be wrong.
 */
export const explainMismatch = (signed: string, computed: string): string | undefined => {
  if (signed === computed) return undefined
  const [ours, theirs] = [signed.split('\n'), computed.split('\n')]
  const line = ours.findIndex((text, i) => text !== theirs[i])
  const at = line < 0 ? ours.length : line
  return `The ${componentAt(at, ours)} differs: signed ${quote(ours[at])}, the service computed ${quote(theirs[at])}.`
}

/** Three fixed lines, one per signed header, a blank one, the names, the payload's hash. */
const componentAt = (line: number, lines: readonly string[]): string => {
  const fixed = COMPONENTS[line]
  if (fixed !== undefined) return fixed
  if (line >= lines.length - 1) return 'hash of the body'
  if (line === lines.length - 2) return 'list of signed headers'
  return `header "${(lines[line] ?? '').split(':')[0]}"`
}

const quote = (text: string | undefined): string => (text === undefined ? 'nothing' : JSON.stringify(text))
