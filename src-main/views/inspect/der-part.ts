import { type DerNode, decodeDer, oidText, parseDerTime, TAG } from '../../core/judge/der.ts'
import { type Bytes, fromUtf8, toHex } from '../../core/protocol/bytes.ts'
import { type DecodedPart, decodedPart, MAX_NODES, type TreeNode } from './parts.ts'

/** Empty if the bytes are not DER. */
export const derParts = (bytes: Bytes): readonly DecodedPart<string>[] => {
  const der = decodeDer(bytes)
  if (!der.ok) return []
  const nodes: TreeNode[] = []
  const walk = (each: DerNode, path: string, depth: number): void => {
    if (nodes.length >= MAX_NODES) return
    nodes.push({ id: path, depth, name: tagName(each), value: textOf(each), start: each.start, end: each.end })
    for (const [i, child] of each.children.entries()) walk(child, `${path}.${i}`, depth + 1)
  }
  walk(der.value, '0', 0)
  return [decodedPart('DER', bytes, nodes)]
}

const TAG_NAMES: ReadonlyMap<number, string> = new Map(Object.entries(TAG).map(([name, tag]) => [tag, name]))

const tagName = ({ tagClass, tag }: DerNode): string =>
  tagClass === 'universal' ? (TAG_NAMES.get(tag) ?? `tag ${tag}`) : `[${tag}]`

const TEXTS: ReadonlySet<number> = new Set([TAG.utf8String, TAG.printableString])
const MAX_BYTES = 24

const textOf = (node: DerNode): string => {
  if (node.children.length > 0) return ''
  const time = parseDerTime(node)
  if (time !== undefined) return new Date(time).toISOString()
  const text = node.tagClass === 'universal' && TEXTS.has(node.tag) ? fromUtf8(node.content) : undefined
  const { content } = node
  return oidText(node) ?? text ?? toHex(content.subarray(0, MAX_BYTES)) + (content.length > MAX_BYTES ? '…' : '')
}
