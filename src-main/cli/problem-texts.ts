import type { StartProblem, SystemRefusal } from '../contract/start-problems.ts'
import { en } from '../messages/en/en.ts'
import { startProblemText as textFrom } from '../messages/start-problem-text.ts'
import { textOf } from '../messages/text.ts'

export const startProblemText = (problem: StartProblem): string => textFrom(en, problem)

export const systemRefusalText = (refusal: SystemRefusal): string => textOf(en.systemRefusals, refusal)
