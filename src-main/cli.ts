import { createInterface } from 'node:readline/promises'
import { setImmediate } from 'node:timers/promises'
import { terminationSignals } from './cli/command.ts'
import { EXIT_NOT_DONE } from './cli/command-end.ts'
import { main } from './cli/main.ts'
import { findRoot, versionAt } from './cli/root.ts'
import { terminalOfProcess } from './cli/terminal.ts'

const stop = new AbortController()
let impatient = false
for (const signal of terminationSignals(process.platform)) {
  process.on(signal, () => {
    if (stop.signal.aborted && impatient) process.exit(130)
    stop.abort()
    // One Ctrl-C may arrive twice, from the terminal and from the parent process; only a later one counts.
    setTimeout(() => {
      impatient = true
    }, 500).unref()
  })
}
// The second opinion probes Web Crypto for its newest algorithms; Node's warning about them does not help the user.
process.removeAllListeners('warning')
process.on('warning', ({ name, message }) => {
  if (name !== 'ExperimentalWarning') console.error(`handset: ${message}`)
})
/** Why output could not be written. A reader that closed the pipe is no reason to fail. */
let lost: NodeJS.ErrnoException | undefined
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (reason: NodeJS.ErrnoException) => {
    if (stream === process.stdout && reason.code !== 'EPIPE') lost ??= reason
  })
}

/** The terminal is not in raw mode, so data arrives at each Enter. */
const onEnter = (listener: () => void): void => {
  process.stdin.on('data', listener)
  process.stdin.on('error', () => undefined)
}

const ask = async (question: string): Promise<string> => {
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await asking.question(question, { signal: stop.signal })
  } finally {
    asking.close()
  }
}

/** Standard input is shared with the parent process: the system closes it when the parent ends, however it ends. */
const inputEnd = (): AbortSignal => {
  const ended = new AbortController()
  for (const event of ['end', 'error', 'close']) process.stdin.on(event, () => ended.abort())
  process.stdin.resume()
  return ended.signal
}

const terminal = terminalOfProcess()
const root = findRoot(import.meta.dirname)
const code = await main(process.argv.slice(2), {
  terminal,
  version: versionAt(root),
  root,
  env: process.env,
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  inputEnd,
  input: process.stdin,
  stop: stop.signal,
  ...(process.stdin.isTTY ? { onEnter, ask } : {}),
})
/** A pipe takes 64 KiB at once, and the rest when its reader is ready. */
const written = (stream: NodeJS.WriteStream): Promise<void> => new Promise((done) => stream.write('', () => done()))
if (!stop.signal.aborted) await Promise.all([process.stdout, process.stderr].map(written))
// The error of the last write comes a moment later.
await setImmediate()
if (lost !== undefined) {
  const { systemRefusalText } = await import('./cli/problem-texts.ts')
  const { code: errno = '', message } = lost
  const params = { file: 'standard output', errno, message }
  terminal.error(`handset: ${systemRefusalText({ code: 'file_refused', params })}`)
}
process.exit(lost !== undefined && code === 0 ? EXIT_NOT_DONE : code)
