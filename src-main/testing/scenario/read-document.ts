import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, type YAMLParseError } from 'yaml'
import type { FieldProblem } from '../../core/contract/reasons.ts'
import type { FileProblem, FileProblemParams, Place } from '../../core/contract/scenario/file-problems.ts'
import type { Coded } from '../../core/protocol/coded.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { aliasProblem } from './alias-problem.ts'

export type Path = readonly (string | number)[]

/** Of the field that a problem is about. */
export const pathOf = ({ params }: FieldProblem): Path => params.field.split(/[.[\]]+/).filter((part) => part !== '')

export type LineAndColumn = Extract<Place, { readonly line: number }>

export type ReadDocument = {
  readonly value: unknown
  /** Where `value.steps[3].scan` begins, `placeOf(['steps', 3, 'scan'])`, or what it would be in. */
  placeOf(path: Path): LineAndColumn
}

/** The reader reports its own end of stack as a mistake of the document. */
const TOO_DEEP = 'Maximum call stack'

/** The reader’s own sentence, but where it tells a programmer what to call. */
const problemOf = ({ code, message }: YAMLParseError): Coded<FileProblemParams> => {
  if (message.startsWith(TOO_DEEP)) return { code: 'too_deep' }
  return code === 'MULTIPLE_DOCS' ? { code: 'second_document' } : { code: 'yaml_says', params: { words: message } }
}

/** YAML, and so JSON as well. A refusal names the line. */
export const readDocument = (text: string): Result<ReadDocument, FileProblem> => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): LineAndColumn => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const [problem] = document.errors
  if (problem !== undefined) {
    return err({ ...problemOf(problem), at: [at(problem.pos[0])] })
  }
  const alias = aliasProblem(document)
  if (alias !== undefined) return err({ ...alias.problem, at: [at(alias.at.range?.[0] ?? 0)] })
  return ok({
    // How much the aliases come to is known.
    value: document.toJS({ maxAliasCount: -1 }),
    placeOf: (path) => {
      const begins = path
        .map((_, i) => beginningOf(document, path.slice(0, path.length - i)))
        .find((offset) => offset !== undefined)
      return at(begins ?? 0)
    },
  })
}

/** A member of a mapping begins with its key. */
const beginningOf = (document: Document, path: Path): number | undefined => {
  const parent = document.getIn(path.slice(0, -1), true)
  const last = path.at(-1)
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last))
    : undefined
  const node = pair?.key ?? document.getIn(path, true)
  return isNode(node) ? node.range?.[0] : undefined
}
