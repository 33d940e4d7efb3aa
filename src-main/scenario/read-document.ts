import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, type YAMLParseError } from 'yaml'
import { err, ok, type Result } from '../protocol/result.ts'
import { aliasProblem } from './alias-problem.ts'

export type Path = readonly (string | number)[]

/** Where something stands in a file; both count from 1. */
export type Place = { readonly line: number; readonly column: number }

export type ReadDocument = {
  readonly value: unknown
  /** Where `value.steps[3].scan` begins, `placeOf(['steps', 3, 'scan'])`, or what it would be in. */
  placeOf(path: Path): Place
}

export const placeText = ({ line, column }: Place): string => `line ${line}, column ${column}`

/** The reader reports its own end of stack as a mistake of the document. */
const TOO_DEEP = 'Maximum call stack'

/** Where the reader's own sentence tells a programmer what to call. */
const sentenceOf = ({ code, message }: YAMLParseError): string => {
  if (message.startsWith(TOO_DEEP)) return 'this is nested too deeply.'
  return code === 'MULTIPLE_DOCS' ? 'a second document begins here; expected one.' : message
}

/** YAML, and so JSON as well. A refusal names the line. */
export const readDocument = (text: string): Result<ReadDocument, string> => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return placeText({ line, column: col })
  }
  const [problem] = document.errors
  if (problem !== undefined) {
    return err(`${at(problem.pos[0])}: ${sentenceOf(problem)}`)
  }
  const alias = aliasProblem(document)
  if (alias !== undefined) return err(`${at(alias.at.range?.[0] ?? 0)}: ${alias.problem}`)
  return ok({
    // How much the aliases come to is known.
    value: document.toJS({ maxAliasCount: -1 }),
    placeOf: (path) => {
      const begins = path
        .map((_, i) => beginningOf(document, path.slice(0, path.length - i)))
        .find((at) => at !== undefined)
      const { line, col } = lines.linePos(begins ?? 0)
      return { line, column: col }
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
