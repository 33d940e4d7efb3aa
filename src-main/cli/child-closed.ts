import type { ChildProcess } from 'node:child_process'

/** Its exit code or signal, or why it did not start. */
export const childClosed = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 1))
  })
