import type { Terminal } from '../../src-main/cli/terminal.ts'

/** A terminal that keeps what is said on it. */
export const heardTerminal = ({ width = 100 } = {}) => {
  const out: string[] = []
  const errors: string[] = []
  const terminal: Terminal = {
    out: (text) => void out.push(text),
    error: (text) => void errors.push(text),
    color: false,
    width,
  }
  return { terminal, out, errors }
}

/** What a run of the suite complained of: how far it is by now is none of it, and is told when ten seconds have passed. */
export const complaints = (errors: readonly string[]): readonly string[] =>
  errors.filter((line) => !/ stories played$/.test(line))
