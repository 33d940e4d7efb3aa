import { isNode, LineCounter, parseDocument, type YAMLParseError } from 'yaml'
import { err, ok, type Result } from '../protocol/result.ts'
import { aliasProblem } from './alias-problem.ts'

export type ReadDocument = {
  readonly value: unknown
  /** The line on which `value.steps[3].scan` begins, `lineOf(['steps', 3, 'scan'])`, or what it would be in. */
  lineOf(path: readonly (string | number)[]): number
}

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
    return `line ${line}, column ${col}`
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
    lineOf: (path) => {
      const node = path.map((_, i) => document.getIn(path.slice(0, path.length - i), true)).find(isNode)
      return lines.linePos(node?.range?.[0] ?? 0).line
    },
  })
}
