import type { Messages } from '../messages.ts'
import { evidence } from './evidence.ts'
import { failures, results } from './failures.ts'
import { faults } from './faults.ts'
import { phoneProblems } from './phones.ts'
import { checks, notes, steps } from './steps.ts'

/** 简体中文. */
export const zh: Messages = { failures, results, steps, checks, notes, evidence, faults, phoneProblems }
