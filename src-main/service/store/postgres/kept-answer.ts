import { rememberByText } from '../../../core/protocol/remember.ts'

/** More than the store has. */
const MOST_TEXTS = 1_000
const WRITES = /\b(INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/
const MAIN = /^(SELECT|INSERT|UPDATE|DELETE)\b/

export type KeptStatement = {
  /** With two values more: the token of its transaction, and the connection. */
  readonly text: string
  /** Whether its answer is rows, or how many of them were changed. */
  readonly answers: 'rows' | 'changes'
}

/**
 * A statement that writes, changed so that it also stores its token and its answer: a caller that lost the connection
 * reads there what it did. Null where nothing is written.
 */
export const withKeptAnswer = rememberByText((text: string): KeptStatement | null => {
  if (!WRITES.test(text)) return null
  const at = startOfMain(text)
  const [before, main] = [text.slice(0, at).trim(), text.slice(at)]
  const answers = /^SELECT\b/.test(main) || /\bRETURNING\b/.test(main) ? 'rows' : 'changes'
  const parts = before === '' ? 'WITH' : `${before},`
  const [kept, brings] =
    answers === 'rows'
      ? ['SELECT json_agg(told) FROM told', 'SELECT * FROM told']
      : ['SELECT count(*) FROM told', 'SELECT count(*) AS changes FROM told']
  return {
    text: `${parts} told AS (${main}${answers === 'rows' ? '' : ' RETURNING 1'}),
      kept AS (UPDATE connections SET token = ?, answer = (${kept})::text WHERE id = ?) ${brings}`,
    answers,
  }
}, MOST_TEXTS)

/** Behind the parts of a WITH, each of which stands in brackets. */
const startOfMain = (text: string): number => {
  if (!text.startsWith('WITH')) return 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    else if (depth === 0 && MAIN.test(text.slice(at, at + 7))) return at
  }
  throw new Error(`a WITH without a statement behind it: ${text}`)
}
