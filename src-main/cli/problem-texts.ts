import type { StartProblem, SystemRefusal } from '../core/contract/start-problems.ts'
import { en } from '../core/messages/en/en.ts'
import { startProblemText as textFrom } from '../core/messages/refusal-text.ts'
import { textOf } from '../core/protocol/coded.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { toSystemRefusal } from '../disk/system-refusal.ts'

export const startProblemText = (problem: StartProblem): string => textFrom(en, problem)

export const systemRefusalText = (refusal: SystemRefusal): string => textOf(en.systemRefusals, refusal)

/** What the work returns, or why the system refuses it; any other error is a bug. */
export const attempt = <T>(work: () => T): Result<T, string> => {
  try {
    return ok(work())
  } catch (reason) {
    const problem = toSystemRefusal(reason)
    if (problem === undefined) throw reason
    return err(systemRefusalText(problem))
  }
}
