import * as yaml from 'yaml'
import type { FieldProblem } from '../../core/contract/errors.ts'
import {
  combineProblems,
  type FileProblem,
  type FileProblemParams,
  type Place,
} from '../../core/contract/scenario/file-problems.ts'
import type { Coded } from '../../core/protocol/coded.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'

export type Path = readonly (string | number)[]

export const fieldPath = ({ params }: FieldProblem): Path => params.field.split(/[.[\]]+/).filter((part) => part !== '')

export type LineAndColumn = Extract<Place, { readonly line: number }>

export type ParsedDocument = {
  readonly value: unknown
  /** `placeOf(['steps', 3, 'scan'])` is the place of `value.steps[3].scan`, or of its parent if it is missing. */
  placeOf(path: Path): LineAndColumn
}

export const toFileProblem = (
  { placeOf }: ParsedDocument,
  problems: readonly FieldProblem[],
): FileProblem | undefined =>
  combineProblems(
    problems.map((problem) => ({ code: 'unfit', params: { problem }, at: [placeOf(fieldPath(problem))] })),
  )

/** The YAML parser reports its own stack overflow as an error of the document. */
const TOO_DEEP = 'Maximum call stack'

/** Passes on the YAML parser's message, unless it only helps a programmer. */
const problemOf = ({ code, message }: yaml.YAMLParseError): Coded<FileProblemParams> => {
  if (message.startsWith(TOO_DEEP)) return { code: 'too_deep' }
  return code === 'MULTIPLE_DOCS' ? { code: 'second_document' } : { code: 'yaml_says', params: { words: message } }
}

/** Reads YAML, and so JSON as well. */
export const readDocument = (text: string): Result<ParsedDocument, FileProblem> => {
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): LineAndColumn => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  // One error per line: the parser may stumble over the rest of a wrong line.
  const places = new Map(document.errors.toReversed().map((error) => [at(error.pos[0]).line, error]))
  const problem = combineProblems(
    [...places.values()].map((error) => ({ ...problemOf(error), at: [at(error.pos[0])] })),
  )
  if (problem !== undefined) return err(problem)
  const alias = aliasProblem(document)
  if (alias !== undefined) return err({ ...alias.problem, at: [at(alias.at.range?.[0] ?? 0)] })
  return ok({
    // The size of the aliases has been checked.
    value: document.toJS({ maxAliasCount: -1 }),
    placeOf: (path) => {
      const begins = path
        .map((_, i) => nodeAt(document, path.slice(0, path.length - i))?.range?.[0])
        .find((offset) => offset !== undefined)
      return at(begins ?? 0)
    },
  })
}

/** The node at this path; for a member of a mapping the key, since the member begins there. */
const nodeAt = (document: yaml.Document, path: Path): yaml.Node | undefined => {
  const parent = document.getIn(path.slice(0, -1), true)
  const last = path.at(-1)
  const pair = yaml.isMap(parent)
    ? parent.items.find(({ key }) => yaml.isScalar(key) && String(key.value) === String(last))
    : undefined
  const node = pair?.key ?? document.getIn(path, true)
  return yaml.isNode(node) ? node : undefined
}

/** Maximum number of values of a document when each alias is written out. */
const MAX_VALUES = 100_000

type Problem = Coded<Pick<FileProblemParams, 'alias_unknown' | 'alias_circle' | 'alias_too_large'>>

type AliasProblem = { readonly at: yaml.Node; readonly problem: Problem }

/** An alias that names nothing or itself, or by which a few lines become a document too large for memory. */
const aliasProblem = (document: yaml.Document): AliasProblem | undefined => {
  const sizes = new Map<unknown, number>()
  const open = new Set<unknown>()
  let last: yaml.Alias | undefined
  let found: AliasProblem | undefined

  const targetOf = (alias: yaml.Alias): yaml.Node | undefined => {
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
    if (yaml.isAlias(node)) return sizeOf(targetOf(node))
    const parts = yaml.isCollection(node) ? node.items : yaml.isPair(node) ? [node.key, node.value] : []
    return parts.reduce((sum: number, part) => sum + sizeOf(part), 1)
  }

  const sizeOf = (node: unknown): number => {
    const known = sizes.get(node)
    if (known !== undefined || found !== undefined) return known ?? 0
    open.add(node)
    const size = measure(node)
    open.delete(node)
    sizes.set(node, size)
    if (size > MAX_VALUES && last !== undefined) {
      found ??= { at: last, problem: { code: 'alias_too_large', params: { alias: last.source, most: MAX_VALUES } } }
    }
    return size
  }

  sizeOf(document.contents)
  return found
}

type Comment = { readonly path: Path; readonly text: string }

/** A value as YAML, for a person to edit. Each comment precedes the node at its path, or its nearest parent. */
export const writeDocument = (value: unknown, comments: readonly Comment[] = []): string => {
  const document = new yaml.Document(value)
  for (const { path, text } of comments) {
    const node = path.map((_, i) => nodeAt(document, path.slice(0, path.length - i))).find((each) => each !== undefined)
    if (node !== undefined) node.commentBefore = [node.commentBefore ?? [], ` ${text}`].flat().join('\n')
  }
  return document.toString({ lineWidth: 0 })
}
