import { type Alias, type Document, isAlias, isCollection, isPair, type Node } from 'yaml'
import type { FileProblemParams } from '../../core/contract/scenario/file-problems.ts'
import type { Coded } from '../../core/protocol/coded.ts'

/** So many values a document with aliases may have when each alias is written out. */
const MOST_VALUES = 100_000

type Problem = Coded<Pick<FileProblemParams, 'alias_unknown' | 'alias_circle' | 'alias_too_large'>>

export type AliasProblem = { readonly at: Node; readonly problem: Problem }

/** An alias that names nothing or itself, or by which a few lines become a document that no memory holds. */
export const aliasProblem = (document: Document): AliasProblem | undefined => {
  const sizes = new Map<unknown, number>()
  const open = new Set<unknown>()
  let last: Alias | undefined
  let found: AliasProblem | undefined

  const targetOf = (alias: Alias): Node | undefined => {
    last = alias
    const target = alias.resolve(document)
    if (target === undefined) {
      found ??= { at: alias, problem: { code: 'alias_unknown', params: { alias: alias.source } } }
    } else if (open.has(target)) {
      found ??= { at: alias, problem: { code: 'alias_circle', params: { alias: alias.source } } }
    }
    return found === undefined ? target : undefined
  }

  const measure = (node: unknown): number => {
    if (isAlias(node)) return sizeOf(targetOf(node))
    const parts = isCollection(node) ? node.items : isPair(node) ? [node.key, node.value] : []
    return parts.reduce((sum: number, part) => sum + sizeOf(part), 1)
  }

  /** How many values the node is, each alias written out. */
  const sizeOf = (node: unknown): number => {
    const known = sizes.get(node)
    if (known !== undefined || found !== undefined) return known ?? 0
    open.add(node)
    const size = measure(node)
    open.delete(node)
    sizes.set(node, size)
    if (size > MOST_VALUES && last !== undefined) {
      found ??= { at: last, problem: { code: 'alias_too_large', params: { alias: last.source, most: MOST_VALUES } } }
    }
    return size
  }

  sizeOf(document.contents)
  return found
}
