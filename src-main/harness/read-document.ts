import { LineCounter, parseDocument } from 'yaml'
import { err, ok, type Result } from '../protocol/result.ts'

export type ReadDocument = {
  readonly value: unknown
  /** The line on which `value.steps[3].scan` begins: `lineOf(['steps', 3, 'scan'])`. */
  lineOf(path: readonly (string | number)[]): number | undefined
}

/** YAML, and so JSON as well. A refusal names the line. */
export const readDocument = (text: string): Result<ReadDocument, string> => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [problem] = document.errors
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0])
    return err(`line ${line}, column ${col}: ${problem.message}`)
  }
  return ok({
    value: document.toJS(),
    lineOf: (path) => {
      const node = document.getIn(path, true)
      const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined
      return Array.isArray(range) ? lines.linePos(Number(range[0])).line : undefined
    },
  })
}
