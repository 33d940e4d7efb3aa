import type { StartProblem, SystemRefusal } from '../core/contract/start-problems.ts'
import { en } from '../core/messages/en/en.ts'
import { startProblemText as textFrom } from '../core/messages/refusal-text.ts'
import { textOf } from '../core/protocol/coded.ts'

export const startProblemText = (problem: StartProblem): string => textFrom(en, problem)

export const systemRefusalText = (refusal: SystemRefusal): string => textOf(en.systemRefusals, refusal)
