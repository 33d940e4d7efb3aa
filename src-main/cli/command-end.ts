import { err, ok, type Result } from '../core/protocol/result.ts'

/**
 * 0 done · 1 failed · 2 the user asked for something that does not exist · 3 a run could not start or save its results
 * · 130 stopped by the user before the end.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130

/** Exit code that shells use after Ctrl-C. */
export const EXIT_STOPPED = 130

export const EXIT_NOT_DONE = 3

/** Only the functions below throw this error; `makeCommand` prints it and returns its exit code. */
export class CommandEnd extends Error {
  readonly code: ExitCode

  constructor(code: ExitCode, problem: string) {
    super(problem)
    this.code = code
  }
}

/** Ends the command from any depth of calls. */
export type End = (problem: string) => never

const endWith =
  (code: ExitCode): End =>
  (problem) => {
    throw new CommandEnd(code, problem)
  }

export const misuse: End = endWith(2)
export const fail: End = endWith(1)
/** After Ctrl-C, `reportEnd` reports the stop instead of the problem, with EXIT_STOPPED. */
export const notDone: End = endWith(EXIT_NOT_DONE)

/** Returns the value of a result; a failed result ends the command. */
export const needed = <T>(result: Result<T, string>, end: End = misuse): T =>
  result.ok ? result.value : end(result.error)

/** Parses a value that is given; undefined stays undefined. */
export const ifGiven = <V, T>(value: V | undefined, parse: (value: V) => T): T | undefined =>
  value === undefined ? undefined : parse(value)

/** Why the command would end, for callers that are not commands. */
export const untilEnd = <T>(work: () => T): Result<T, string> => {
  try {
    return ok(work())
  } catch (reason) {
    if (reason instanceof CommandEnd) return err(reason.message)
    throw reason
  }
}
