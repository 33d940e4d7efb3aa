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
