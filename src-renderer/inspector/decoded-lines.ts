import { toHex } from '../../src-main/core/protocol/bytes.ts'
import { type DecodedPart, partsOf, type TreeNode } from '../../src-main/views/inspect/parts.ts'
import type { Exchange } from './exchange-lines.ts'

/** An authenticator's answer as lines, a field each, so that a changed field is one changed line; none for other calls. */
export const decodedLines = ({ request }: Exchange): readonly string[] =>
  partsOf(request.body).flatMap((part) => {
    const lines = part.nodes.flatMap((node) => {
      const value = fieldText(part, node)
      return value === '' ? [] : [`${part.name}.${node.id}: ${value}`]
    })
    return part.nodes.length === 1 && part.nodes[0]?.id === part.name ? [`${part.name}: ${toHex(part.bytes)}`] : lines
  })

/** A shortened value would hide a difference behind its dots. */
const fieldText = ({ bytes }: DecodedPart, { value, flags, start, end }: TreeNode): string => {
  if (flags !== undefined) {
    const set = flags.flatMap(({ name, set }) => (set ? [name] : []))
    return `${value} (${set.join(' ')})`
  }
  return value.endsWith('…') ? toHex(bytes.subarray(start, end)) : value
}
